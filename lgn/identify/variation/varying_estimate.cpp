#include "lgn/identify/variation/varying_estimate.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "lgn/core/error.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/identify/training/varying_training.h"

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

void check_names(const std::string& structure, const VaryingEstimateOptions& options) {
  check_method(options.estimate.method);
  static const std::set<std::string> bases{"auto", "harmonics", "spline", "fourier"};
  if (!bases.contains(options.basis))
    throw Error(fmt::format("unknown basis \"{}\"", options.basis),
                "bases are auto, harmonics, spline and fourier");
  find_magnus_scheme(options.magnus.method);
  if (options.estimate.method == "closed-form")
    throw Error(fmt::format("the structure \"{}\" has no closed form", structure),
                "use --method mle or adam");
  if (options.estimate.method == "adam" && options.basis == "harmonics")
    throw Error("adam does not look for frequencies",
                "use --basis fourier or spline, or --method mle");
}

/// Refuses a structure without entries, and one with more than can be searched.
void check_size(const Structure& base, const VaryingEstimateOptions& options) {
  constexpr Index most_entries = 600, most_unknowns = 3000;
  if (base.parameters() == 0)
    throw Error("a skew generator of one channel is zero, and cannot vary", "use ltv-sd");
  if (base.parameters() > most_entries)
    throw Error(fmt::format("{} entries of a generator are too many to look for variation in each",
                            base.parameters()),
                "choose fewer channels with --channels, or use a law");
  const Index unknowns = (1 + 2 * features) * base.parameters();
  if (options.basis == "fourier" && options.estimate.method != "adam" && unknowns > most_unknowns)
    throw Error(fmt::format("{} coefficients are too many for maximum likelihood", unknowns),
                "use --basis harmonics or spline, or --method adam");
}

VariationOptions variation_options(const VaryingEstimateOptions& options) {
  VariationOptions result;
  result.fit = {options.estimate.likelihood, options.magnus};
  result.most_harmonics = options.most_harmonics;
  result.most_splines = options.most_splines;
  return result;
}

double criterion_of(const VaryingFit& fit, const Dataset& data) {
  return information_criterion(find_residuals(fit, data), fit.structure->parameters());
}

/// The paper's model: all functions in all entries, and softplus dampings.
std::shared_ptr<const ModulatedStructure> paper_model(std::shared_ptr<const Structure> base,
                                                      std::shared_ptr<const TimeBasis> basis) {
  return std::make_shared<const ModulatedStructure>(std::move(base), std::move(basis),
                                                    std::vector<std::vector<Index>>{},
                                                    ModulatedStructure::Link::softplus);
}

std::shared_ptr<const TimeBasis> paper_features(Random& random) {
  return std::make_shared<const FourierFeatures>(
      FourierFeatures::draw(features, lowest, highest, random));
}

VaryingFit by_training(const Dataset& data, std::shared_ptr<const Structure> base,
                       const VaryingEstimateOptions& options) {
  Random random(options.estimate.training.seed);
  constexpr Index splines = 12;
  const auto [begin, end] = time_span(data);
  const auto structure =
      paper_model(std::move(base), options.basis == "spline"
                                       ? std::make_shared<const SplineBasis>(splines, begin, end)
                                       : paper_features(random));
  return train_varying(data, structure, random_courses(*structure, random),
                       options.estimate.training, options.magnus);
}

/// All features in all entries, from the constant generator.
VaryingFit with_features(const Dataset& data, const std::shared_ptr<const Structure>& base,
                         const Vector& theta, const VaryingEstimateOptions& options) {
  Random random(options.estimate.training.seed);
  const auto structure = paper_model(base, paper_features(random));
  Matrix c = Matrix::Zero(structure->entries(), structure->basis().size());
  c.col(0) = structure->course_values(theta);
  return fit_varying(data, structure, structure->theta_of({}, c),
                     {options.estimate.likelihood, options.magnus});
}

/// By the basis that was asked for, or the better one.
VaryingFit find_variation(const Dataset& data, const std::shared_ptr<const Structure>& base,
                          const Vector& theta, const VaryingEstimateOptions& options) {
  VariationOptions settings = variation_options(options);
  const std::string stage = settings.fit.likelihood.stage;
  const auto by = [&](const char* name, auto find) {
    settings.fit.likelihood.stage = stage + ", " + name;
    return find(data, base, theta, settings);
  };
  if (options.basis == "spline") return by("spline", find_drift);
  VaryingFit harmonics = by("harmonics", find_harmonics);
  if (options.basis == "harmonics" || harmonics.stopped ||
      leaves_noise_only(find_residuals(harmonics, data)))
    return harmonics;
  VaryingFit spline = by("spline", find_drift);
  return criterion_of(spline, data) < criterion_of(harmonics, data) ? spline : harmonics;
}

/// A frequency is found from nearby only. Where a fit has missed it, multiples of each positive constant
/// are tried in few steps, and the best is fitted in full.
VaryingFit from_other_starts(const Dataset& data,
                             const std::shared_ptr<const VaryingParametric>& law, VaryingFit best,
                             const VaryingOptions& options) {
  using Range = Constant::Range;
  const Constants& constants = law->constants();
  const auto range = [&](Index k) { return constants.list()[static_cast<std::size_t>(k)].range; };
  // What has a size has about the right one by now.
  const Vector start = constants.starting_values(), fitted = constants.values(best.theta);
  Vector near = start;
  for (Index k = 0; k < near.size(); ++k)
    if (range(k) == Range::positive || range(k) == Range::non_negative) near[k] = fitted[k];
  VaryingOptions quick = options;
  quick.likelihood.max_iterations = std::min(quick.likelihood.max_iterations, 30);
  quick.likelihood.rounds = 1;
  for (Index k = 0; k < near.size(); ++k)
    for (int power = -5; power <= 8 && range(k) == Range::positive; ++power) {
      if (best.stopped) return best;
      Vector other = near;
      other[k] = start[k] * std::pow(1.25, power);
      quick.likelihood.stage =
          fmt::format("{}, {} from {}", options.likelihood.stage,
                      constants.names()[static_cast<std::size_t>(k)], other[k]);
      VaryingFit tried = fit_varying(data, law, constants.parameters(other), quick);
      const int iterations = best.iterations + tried.iterations;
      if (criterion_of(tried, data) < criterion_of(best, data)) best = std::move(tried);
      best.iterations = iterations;
    }
  VaryingOptions last = options;
  last.likelihood.stage += ", final";
  VaryingFit result = fit_varying(data, law, best.theta, last);
  result.iterations += best.iterations;
  return result;
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

VaryingFit estimate_varying(const Dataset& data, std::shared_ptr<const VaryingParametric> law,
                            const VaryingEstimateOptions& options) {
  check_names(law->name(), options);
  if (options.basis != "auto")
    throw Error("a law has no basis: its formula says how it varies", "leave out --basis");
  const Constants& constants = law->constants();
  const Vector theta = options.theta.value_or(constants.parameters(constants.starting_values()));
  if (options.estimate.method == "adam")
    return train_varying(data, law, theta, options.estimate.training, options.magnus);
  const VaryingOptions settings{options.estimate.likelihood, options.magnus};
  VaryingFit found = fit_varying(data, law, theta, settings);
  if (options.theta || found.stopped || leaves_noise_only(find_residuals(found, data)))
    return found;
  return from_other_starts(data, law, std::move(found), settings);
}

VaryingFit estimate_varying(const Dataset& data, const std::string& name,
                            const VaryingEstimateOptions& options) {
  if (!law_name(name).empty())
    return estimate_varying(data, find_varying_parametric(name, data.dimension()), options);
  check_names(name, options);
  const std::string base_name = name.substr(varying.size());
  static const std::set<std::string> bases{"skew", "sd", "psd", "full"};
  if (!bases.contains(base_name))
    throw Error(fmt::format("unknown structure \"{}\"", name),
                "structures that vary in time are ltv-skew, ltv-sd, ltv-psd, ltv-full and "
                "parametric:ltv-oscillator or parametric:ltv-chain");
  const auto base = find_structure(base_name, data.dimension());
  check_size(*base, options);
  if (options.estimate.method == "adam") return by_training(data, base, options);
  EstimateOptions constant = options.estimate;
  constant.likelihood.stage += ", constant";
  const Estimate found = estimate(data, base, constant);
  if (options.basis == "fourier") return with_features(data, base, found.theta, options);
  return find_variation(data, base, found.theta, options);
}

std::optional<VaryingFit> needed_variation(
    const Dataset& data, const Estimate& found,
    const std::vector<std::shared_ptr<const Structure>>& bases,
    const VaryingEstimateOptions& options) {
  constexpr double most_left = 1.0 / 3;
  const FitResiduals left = find_residuals(found.generator, found.starts, data);
  if (leaves_noise_only(left)) return {};
  double goal = information_criterion(left, found.structure->freedom()) - strong_evidence;
  std::optional<VaryingFit> best;
  for (const auto& base : bases) {
    VaryingEstimateOptions settings = options;
    settings.estimate.likelihood.stage += ", " + base->name();
    VaryingFit fit = find_variation(data, base, base->project(found.generator), settings);
    const FitResiduals rest = find_residuals(fit, data);
    const double criterion = information_criterion(rest, fit.structure->parameters());
    const bool explains = leaves_noise_only(rest) || rest.nrmse() < most_left * left.nrmse();
    if (!(criterion < goal) || !explains) continue;
    goal = criterion - strong_evidence;
    best = std::move(fit);
    if (best->stopped || leaves_noise_only(rest)) break;
  }
  return best;
}

}  // namespace lgn
