#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/inspection.h"
#include "lgn/data/scales.h"
#include "lgn/identify/ambient/ambient_fit.h"
#include "lgn/model/describe.h"
#include "lgn/model/warnings.h"
#include "lgn/physics/decay_limits.h"
#include "lgn/physics/uncertainty.h"
#include "lgn/random_vibration_internal.h"
#include "lgn/standard_errors_internal.h"

namespace lgn {
namespace {

/// Whether what was found is random vibration, and not motion that goes on undisturbed: the spectrum is the model's, and the oscillation
/// that is strongest has been forgotten several times within a run.
bool random_enough(const AmbientFit& fit, const Dataset& data) {
  if (!explains_spectrum(fit)) return false;
  const ModalStructure& structure = *fit.selection.fit.structure->modal();
  const Matrix c = structure.observation(fit.selection.fit.theta).matrix();
  double most = 0, decay = 0;
  for (const auto& block : structure.blocks()) {
    const double power =
        (c.middleCols(block.state, block.size()) * fit.g.middleRows(block.state, block.size()))
            .cwiseQuotient(fit.variance)
            .trace();
    if (power < most) continue;
    most = power;
    decay = structure.rates(block, fit.selection.fit.theta).second / (block.pair ? 2 : 1);
  }
  constexpr double times = 4;
  return decay * longest_duration(data) > times;
}

/// What is to be said of a mode that comes and goes.
std::string words_of(const PassingMode& passing, const Model& model) {
  // Modes know how many seconds the unit of time has.
  for (const Mode& mode : model.modes)
    if (mode.pole.imag() > 0 &&
        std::abs(mode.pole.imag() - passing.frequency) < 1e-6 * passing.frequency)
      return fmt::format("{:.0f}% of what moves about {:.3g} {} does so in a quarter of the record",
                         100 * passing.share, mode.frequency_hz, frequency_unit(model));
  return "one oscillation is there in a quarter of the record only";
}

bool settled_otherwise(const FitOptions& options) {
  return options.custom_structure != nullptr ||
         (options.structure != "auto" && options.structure != "modal");
}

}  // namespace

bool may_be_random_vibration(const Dataset& data, const FitOptions& options) {
  if (options.record == Record::ambient) return true;
  const bool likely = options.method == Method::automatic || options.method == Method::likelihood;
  return options.record == Record::automatic && !options.driven && !settled_otherwise(options) &&
         likely && options.states != States::measured && !options.robust() &&
         options.holdout == 0 && !options.network.rules.any() &&
         inspect(data).record == RecordKind::ambient;
}

Model identify_random_vibration(const Dataset& data, const FitOptions& options) {
  if (settled_otherwise(options))
    throw Error(fmt::format("random vibration is identified by its modes, not as \"{}\"",
                            options.custom_structure ? options.custom_structure->name()
                                                     : options.structure),
                "use " + setting("structure", "modal"));
  AmbientFit found = fit_ambient(data, options);
  const Fit& fit = found.selection.fit;
  if (options.record != Record::ambient && !fit.stopped && !random_enough(found, data))
    throw no_random_vibration();
  const StopManner telling(stop_internal::Manner::not_at_all);
  Model model = describe(fit, data, {}, options.time_unit);
  const std::string passing = found.passing ? words_of(*found.passing, model) : "";
  if (options.record != Record::ambient && !passing.empty())
    throw NotIdentified(
        "no mode: " + passing,
        "is it a sweep, a passing load, or a system that varies in time? If it is random "
        "vibration use " +
            setting("record", "ambient"));
  model.record = "ambient";
  model.ambient = AmbientResponse{found.g, found.variance};
  model.candidates = std::move(found.selection.candidates);
  model.stabilisation = std::move(found.selection.stabilisation);
  model.data.runs = static_cast<Index>(data.runs().size());
  model.data.samples = data.samples();
  model.data.step = median_step(data);
  model.data.assumptions = found.notes;
  model.fit.nrmse_train = found.misfit.relative;
  model.fit.numbers_in_a = fit.structure->free_parameters();
  model.fit.channel_noise = (found.variance - model.c * found.g).diagonal().cwiseMax(0).cwiseSqrt();
  model.fit.noise_sigma = std::sqrt(model.fit.channel_noise.cwiseAbs2().mean());
  model.fit.confidence = options.confidence;
  model.fit.interval = interval_factor(options.confidence, static_cast<double>(data.present()));
  const Index missed = missed_channel(found);
  // What the model misses of a spectrum makes its modes as much less certain, at least.
  model.fit.error_widening = missed >= 0 ? std::sqrt(found.misfit.excess.maxCoeff()) : 1.0;
  if (options.errors != Errors::never) {
    add_errors_of(model, fit, model.fit.error_widening * found.root, longest_duration(data));
    limit_unresolved_decays(model.modes, options.confidence);
  }
  if (options.states == States::automatic && !fit.stopped && nothing_determined(model))
    throw no_oscillation();
  FitFacts facts;
  facts.stopped = fit.stopped;
  facts.residuals.squares = facts.residuals.count = Vector::Zero(data.dimension());
  facts.residuals.power = Vector::Ones(data.dimension());
  facts.values = data.present();
  facts.unknowns = fit.theta.size();
  model.warnings = find_warnings(model, facts);
  if (!passing.empty())
    model.warnings.push_back(
        {"not-stationary",
         passing + "; random vibration has steady forces: damping ratios and their errors "
                   "are those of such"});
  if (missed >= 0)
    model.warnings.push_back(
        {"poor-fit",
         fmt::format(
             "the spectrum of {} is not the model's: deviations are {:.3g} times what chance makes; more modes, "
             "forces with a spectrum of their own, or harmonics of a machine; try more states with {}",
             model.channels[static_cast<std::size_t>(missed)],
             std::sqrt(found.misfit.excess[missed]), setting("states"))});
  return model;
}

}  // namespace lgn
