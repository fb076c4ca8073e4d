#include "lgn/identify/ambient/ambient_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lgn/core/constants_internal.h"
#include "lgn/core/inverse_root.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/identify/ambient/ambient_channels.h"
#include "lgn/identify/ambient/ambient_search.h"
#include "lgn/identify/hidden/stabilisation.h"
#include "lgn/identify/realisation/realisation.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

/// Work of all orders together, beyond which no more are tried (stop.h).
constexpr double most_work = 8e9;
/// Channels whose spectra are fitted together; the others follow from how they go along with these.
constexpr Index most_references = 6;

/// How θ, and G and R(0), grow with the sizes of the channels.
Vector theta_units(const ModalStructure& structure, const Vector& sizes) {
  Vector units = Vector::Ones(structure.parameters());
  for (const auto& block : structure.blocks())
    for (Index channel = 0, row = 0; channel < structure.channels(); ++channel) {
      if (channel == block.reference) continue;
      units.segment(block.rows + block.size() * row++, block.size())
          .setConstant(sizes[channel] / sizes[block.reference]);
    }
  return units;
}

Matrix g_in_units(const ModalStructure& structure, const Matrix& g, const Vector& sizes) {
  Matrix result = g * sizes.asDiagonal();
  for (const auto& block : structure.blocks())
    result.middleRows(block.state, block.size()) *= sizes[block.reference];
  return result;
}

/// Whether any pair of its states oscillates, not damped out at once.
bool oscillates(const AmbientSystem& system) {
  constexpr double damped = 0.5;
  for (const Complex& pole : modal_poles(*system.structure, system.parameters.theta).poles)
    if (pole.imag() > 0 && -pole.real() < damped * std::abs(pole)) return true;
  return false;
}

StructureCandidate candidate_of(const AmbientSystem& system, double criterion) {
  StructureCandidate candidate;
  candidate.structure = "modal";
  candidate.states = system.states();
  candidate.parameters = system.structure->parameters();
  candidate.criterion = criterion;
  return candidate;
}

}  // namespace

Index missed_channel(const AmbientFit& fit) {
  constexpr double large = 1.5;
  // With one line in a cell the squared deviation has the variance 8.
  const double chance = 5 * std::sqrt(8 / static_cast<double>(std::max<Index>(1, fit.cells)));
  Index worst = 0;
  const double most = fit.misfit.excess.maxCoeff(&worst);
  return most > std::max(large, 1 + chance) ? worst : -1;
}

bool explains_spectrum(const AmbientFit& fit) {
  // Short records have few lines, of which chance allows much.
  constexpr double most_missed = 0.25;
  return missed_channel(fit) < 0 && fit.misfit.relative <= most_missed;
}

NotIdentified no_random_vibration() {
  return NotIdentified(
      "no mode: neither free motion nor random vibration of a linear system explains the data",
      "is it driven, nonlinear, or does it vary in time?");
}

AmbientFit fit_ambient(const Dataset& data, const FitOptions& options) {
  const AmbientRecord record(data);
  std::vector<Index> references;
  for (Index c = 0; c < record.channels(); ++c) references.push_back(c);
  const bool some = record.channels() > most_references;
  if (some) references = reference_channels(record.correlations(0).front(), most_references);
  const AmbientSearch search(some ? record.of_channels(references) : record, options);
  const bool asked = options.states == States::given;
  const Index most = asked ? options.state_count : search.most_states();
  if (most < 2) throw NotIdentified("too few samples for a mode", "record for longer");
  AmbientFit result;
  std::vector<StructureCandidate>& candidates = result.selection.candidates;
  AmbientSystem best = search.nothing();
  double least = search.criterion(best);
  bool stopped = false, long_one = false;
  // Takes the next system where it is better; whether it is.
  const auto take = [&](std::optional<AmbientSystem> next) {
    if (!next) return false;
    const double criterion = search.criterion(*next);
    candidates.push_back(candidate_of(*next, criterion));
    stopped = stopped || next->stopped;
    // What is richer must earn its place: more states, or frequencies that samples show as others.
    const bool simpler = std::pair(next->states(), search.aliased(*next)) <
                         std::pair(best.states(), search.aliased(best));
    const double evidence = simpler ? -strong_evidence : strong_evidence;
    if (!asked && !(criterion < least - evidence)) return false;
    least = criterion;
    best = std::move(*next);
    return true;
  };
  {
    const WorkLimit limit(options.thorough || asked ? infinity : most_work);
    const auto go_on = [&] { return !stopped && !limit.reached(); };
    const bool done = unless_stopped([&] {
      take(search.begin(asked ? std::optional(most) : std::nullopt));
      if (asked || best.states() == 0) return;
      do {
        do {
          while (go_on() && best.states() + 2 <= most && take(search.grow(best, most))) {
          }
          // What lies on two modes at once has no way to either of them; a start of its own has, which may be long.
        } while (go_on() && best.states() + 2 <= most &&
                 take(search.begin(best.states() + 2, infinity, AmbientSearch::many_steps)));
        while (go_on() && take(search.shrink(best))) {
        }
        // From what is taken for two modes no way may lead to the one that it is.
        while (go_on() && best.states() > 2 &&
               take(search.begin(best.states() - 2, least + strong_evidence))) {
        }
      } while (go_on() && take(search.exchange(best)));
    });
    long_one = limit.reached();
    stopped = (!done || stopped) && !long_one;
  }
  if (best.states() == 0 || !oscillates(best)) {
    if (stopped) throw Stopped();
    throw no_oscillation();
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.states < b.states; });
  for (auto& candidate : candidates) {
    candidate.chosen = candidate.states == best.states() && candidate.criterion == least;
    candidate.verdict = candidate.chosen && long_one ? "chosen, cut short: it takes long; " +
                                                           setting("thorough") + " goes on"
                        : candidate.chosen                  ? "chosen"
                        : candidate.states == best.states() ? "less likely"
                        : candidate.states < best.states()  ? "more states justified (BIC)"
                                                            : "extra states not justified (BIC)";
  }
  std::vector<SpectralCell> cells;
  AmbientSystem final = search.refined(best, cells);
  const WhittleLikelihood likelihood(cells, *final.structure, record.step(), record.samples());
  const Vector phi = likelihood.packed(final.parameters);
  result.misfit = likelihood.misfit(phi);
  result.cells = static_cast<Index>(cells.size());
  // What all channels show takes much memory where there are hundreds.
  if (options.record != Record::ambient && !stopped && !final.stopped && !explains_spectrum(result))
    throw no_random_vibration();
  AmbientModes modes{final.structure, final.parameters, {}};
  to_the_end([&] {
    modes.root = inverse_root(likelihood.linearise(phi).information);
    if (some)
      modes = in_all_channels(modes, references, record, likelihood,
                              modal_poles(*best.structure, best.parameters.theta).poles,
                              AmbientSearch::final_width);
  });
  result.passing =
      find_passing_mode(record, modal_poles(*modes.structure, modes.parameters.theta).poles);
  const ModalStructure& structure = *modes.structure;
  const Vector& sizes = record.sizes();
  const Vector units = theta_units(structure, sizes);
  result.root = units.asDiagonal() * modes.root.topRows(structure.parameters());
  Fit& fit = result.selection.fit;
  fit.structure = modes.structure;
  fit.method = "mle";
  fit.theta = units.cwiseProduct(modes.parameters.theta);
  fit.initial_states = Matrix::Zero(structure.dimension(), static_cast<Index>(data.runs().size()));
  fit.iterations = final.iterations;
  fit.converged = final.converged && !stopped;
  fit.stopped = stopped || final.stopped;
  result.g = g_in_units(structure, modes.parameters.g, sizes);
  result.variance = sizes.asDiagonal() * modes.parameters.variance * sizes.asDiagonal();
  result.selection.stabilisation =
      find_stabilisation(search.realisation(), final.states(), sizes(references));
  for (OrderPoles& order : result.selection.stabilisation->orders) {
    const ComplexMatrix seen = std::move(order.shapes);
    order.shapes = ComplexMatrix::Zero(record.channels(), seen.cols());
    order.shapes(references, Eigen::all) = seen;
  }
  result.notes = record.notes();
  if (some) {
    std::vector<std::string> names;
    for (const Index c : references) names.push_back(data.channels()[static_cast<std::size_t>(c)]);
    result.notes.push_back(fmt::format("reference channels {}", fmt::join(names, ", ")));
  }
  return result;
}

NotIdentified no_oscillation() {
  return NotIdentified("no mode: no oscillation stands out of the spectrum",
                       "record for longer, or nearer to where the structure moves");
}

}  // namespace lgn
