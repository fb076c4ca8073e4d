#include "lgn/identify/variation/estimate_varying.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/residuals.h"
#include "lgn/identify/training/training.h"

namespace lgn {
namespace {

const std::string varying = "ltv-", parametric = "parametric:";

/// The paper's features: 25 frequencies between a tenth and ten.
constexpr Index features = 25;
constexpr double lowest = 0.1, highest = 10;

/// The law's name in a structure's; empty: no law.
std::string law_name(const std::string& name) {
  if (name == "ltv-parametric") return "ltv-oscillator";
  if (name.starts_with(varying + parametric)) {
    const std::string law = name.substr((varying + parametric).size());
    return law.starts_with(varying) ? law : varying + law;
  }
  if (name.starts_with(parametric + varying)) return name.substr(parametric.size());
  return {};
}

void check_method(const std::string& structure, const FitOptions& options) {
  find_magnus_scheme(options.magnus.method);
  if (options.method == Method::closed_form)
    throw Error(fmt::format("the structure \"{}\" has no closed form", structure),
                "use " + setting("method", "mle") + " or " + setting("method", "adam"));
  if (options.method == Method::adam && options.basis == Basis::harmonics)
    throw Error("adam does not look for frequencies", "use " + setting("basis", "fourier") + ", " +
                                                          setting("basis", "spline") + " or " +
                                                          setting("method", "mle"));
}

/// Refuses a structure without entries, and one with more than can be searched.
void check_size(const ConstantStructure& base, const FitOptions& options) {
  constexpr Index most_entries = 600, most_unknowns = 3000;
  if (base.parameters() == 0)
    throw Error("a skew generator of one channel is zero, and cannot vary", "use ltv-sd");
  if (base.parameters() > most_entries)
    throw Error(fmt::format("{} entries of a generator are too many to look for variation in each",
                            base.parameters()),
                "choose fewer channels, " + setting("channels") + ", or use a law");
  const Index unknowns = (1 + 2 * features) * base.parameters();
  if (options.basis == Basis::fourier && options.method != Method::adam && unknowns > most_unknowns)
    throw Error(fmt::format("{} coefficients are too many for maximum likelihood", unknowns),
                "use " + setting("basis", "harmonics") + ", " + setting("basis", "spline") +
                    " or " + setting("method", "adam"));
}

double criterion_of(const Fit& fit, const Dataset& data) {
  return information_criterion(find_residuals(fit, data), fit.structure->parameters());
}

/// The paper's model: all functions in all entries, and softplus dampings.
std::shared_ptr<const ModulatedStructure> paper_model(std::shared_ptr<const ConstantStructure> base,
                                                      std::shared_ptr<const TimeBasis> basis) {
  return std::make_shared<const ModulatedStructure>(std::move(base), std::move(basis),
                                                    std::vector<std::vector<Index>>{},
                                                    ModulatedStructure::Link::softplus);
}

std::shared_ptr<const TimeBasis> paper_features(Random& random) {
  return std::make_shared<const FourierFeatures>(
      FourierFeatures::draw(features, lowest, highest, random));
}

Fit by_training(const Dataset& data, std::shared_ptr<const ConstantStructure> base,
                const FitOptions& options) {
  Random random(options.seed);
  constexpr Index splines = 12;
  const auto [begin, end] = time_span(data);
  const auto structure =
      paper_model(std::move(base), options.basis == Basis::spline
                                       ? std::make_shared<const SplineBasis>(splines, begin, end)
                                       : paper_features(random));
  return train_varying(data, structure, random_courses(*structure, random), options);
}

/// All features in all entries, from the constant generator.
Fit with_features(const Dataset& data, const std::shared_ptr<const ConstantStructure>& base,
                  const Vector& theta, const FitOptions& options) {
  Random random(options.seed);
  const auto structure = paper_model(base, paper_features(random));
  Matrix c = Matrix::Zero(structure->entries(), structure->basis().size());
  c.col(0) = structure->course_values(theta);
  return maximum_likelihood(data, structure, {.theta = {structure->theta_of({}, c)}}, options);
}

/// By the basis that was asked for, or the better one.
Fit find_variation(const Dataset& data, const std::shared_ptr<const ConstantStructure>& base,
                   const Vector& theta, const FitOptions& options) {
  const auto by = [&](const char* name, auto find) {
    return find(data, base, theta, options.in_stage(name));
  };
  if (options.basis == Basis::spline) return by("spline", find_drift);
  Fit harmonics = by("harmonics", find_harmonics);
  if (options.basis == Basis::harmonics || harmonics.stopped ||
      leaves_noise_only(find_residuals(harmonics, data)))
    return harmonics;
  const bool to_the_end = unless_stopped([&] {
    Fit spline = by("spline", find_drift);
    const bool stopped = spline.stopped;
    if (criterion_of(spline, data) < criterion_of(harmonics, data)) harmonics = std::move(spline);
    harmonics.stopped = stopped;
  });
  harmonics.stopped = harmonics.stopped || !to_the_end;
  harmonics.converged = harmonics.converged && !harmonics.stopped;
  return harmonics;
}

/// A frequency is found from nearby only. Where a fit has missed it, multiples of each positive constant
/// are tried in few steps, and the best is fitted in full.
Fit from_other_starts(const Dataset& data, const std::shared_ptr<const Structure>& law, Fit best,
                      const FitOptions& options) {
  using Range = Constant::Range;
  const Constants& constants = *law->law_constants();
  const auto range = [&](Index k) { return constants.list()[static_cast<std::size_t>(k)].range; };
  // What has a size has about the right one by now.
  const Vector start = constants.starting_values(), fitted = constants.values(best.theta);
  Vector near = start;
  for (Index k = 0; k < near.size(); ++k)
    if (range(k) == Range::positive || range(k) == Range::non_negative) near[k] = fitted[k];
  FitOptions quick = options;
  quick.max_iterations = std::min(quick.max_iterations, 30);
  quick.rounds = 1;
  const auto try_others = [&] {
    for (Index k = 0; k < near.size(); ++k)
      for (int power = -5; power <= 8 && range(k) == Range::positive; ++power) {
        Vector other = near;
        other[k] = start[k] * std::pow(1.25, power);
        quick.stage = fmt::format("{}, {} from {}", options.stage,
                                  constants.names()[static_cast<std::size_t>(k)], other[k]);
        Fit tried = maximum_likelihood(data, law, {.theta = {constants.parameters(other)}}, quick);
        const int iterations = best.iterations + tried.iterations;
        const bool stopped = tried.stopped;
        if (criterion_of(tried, data) < criterion_of(best, data)) best = std::move(tried);
        best.iterations = iterations;
        if (stopped) throw Stopped();
      }
    Fit result = maximum_likelihood(data, law, {.theta = {best.theta}}, options.in_stage("final"));
    result.iterations += best.iterations;
    best = std::move(result);
  };
  if (!unless_stopped(try_others)) {
    best.stopped = true;
    best.converged = false;
  }
  return best;
}

}  // namespace

bool varies_in_time(const std::string& name) {
  return name.starts_with(varying) || !law_name(name).empty();
}

std::shared_ptr<const VaryingParametric> find_varying_parametric(const std::string& name,
                                                                 Index dimension) {
  const std::string law = law_name(name);
  auto found = find_varying_law(law, dimension);
  if (!found)
    throw Error(fmt::format("unknown law \"{}\"", law.empty() ? name : law),
                "laws that vary in time are ltv-oscillator and ltv-chain");
  return std::make_shared<const VaryingParametric>(std::move(*found));
}

Fit estimate_varying(const Dataset& data, std::shared_ptr<const Structure> law,
                     const FitOptions& options, const std::optional<Vector>& theta) {
  check_method(law->name(), options);
  if (options.basis != Basis::automatic)
    throw Error("a law has no basis: its formula says how it varies",
                "leave out " + setting("basis"));
  if (law->law_constants() == nullptr)
    throw Error(fmt::format("the structure \"{}\" is no law", law->name()));
  const Constants& constants = *law->law_constants();
  const Vector first = theta.value_or(constants.parameters(constants.starting_values()));
  if (options.method == Method::adam) return train_varying(data, law, first, options);
  Fit found = maximum_likelihood(data, law, {.theta = {first}}, options);
  if (theta || found.stopped || leaves_noise_only(find_residuals(found, data))) return found;
  return from_other_starts(data, law, std::move(found), options);
}

Fit estimate_varying(const Dataset& data, const std::string& name, const FitOptions& options,
                     const std::optional<Matrix>& generator) {
  if (!law_name(name).empty())
    return estimate_varying(data, find_varying_parametric(name, data.dimension()), options);
  check_method(name, options);
  const std::string base_name = name.substr(varying.size());
  static const std::set<std::string> bases{"skew", "sd", "psd", "full"};
  if (!bases.contains(base_name))
    throw Error(fmt::format("unknown structure \"{}\"", name),
                "structures that vary in time are ltv-skew, ltv-sd, ltv-psd, ltv-full and "
                "parametric:ltv-oscillator or parametric:ltv-chain");
  const auto base = find_structure(base_name, data.dimension());
  check_size(*base, options);
  if (options.method == Method::adam) return by_training(data, base, options);
  EstimateStart start;
  if (generator) start.theta = base->project(*generator);
  const Fit found = estimate(data, base, options.in_stage("constant"), start);
  if (options.basis == Basis::fourier) return with_features(data, base, found.theta, options);
  return find_variation(data, base, found.theta, options);
}

std::optional<Fit> needed_variation(
    const Dataset& data, const Fit& found,
    const std::vector<std::shared_ptr<const ConstantStructure>>& bases, const FitOptions& options) {
  constexpr double most_left = 1.0 / 3;
  const FitResiduals left = find_residuals(found, data);
  if (leaves_noise_only(left)) return {};
  double goal = information_criterion(left, found.structure->free_parameters()) - strong_evidence;
  std::optional<Fit> best;
  for (const auto& base : bases) {
    Fit fit = find_variation(data, base, base->project(found.generator()),
                             options.in_stage(base->name()));
    const bool stopped = fit.stopped;
    const FitResiduals rest = find_residuals(fit, data);
    const double criterion = information_criterion(rest, fit.structure->parameters());
    const bool explains = leaves_noise_only(rest) || rest.nrmse() < most_left * left.nrmse();
    if (criterion < goal && explains) {
      goal = criterion - strong_evidence;
      best = std::move(fit);
    }
    if (stopped || (best && leaves_noise_only(rest))) break;
  }
  return best;
}

}  // namespace lgn
