#include "lgn/identify/varying_estimate.h"

#include <fmt/format.h>

#include <set>

#include "lgn/core/error.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/identify/varying_training.h"

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

VaryingFit by_training(const Dataset& data, std::shared_ptr<const Structure> base,
                       const VaryingEstimateOptions& options) {
  Random random(options.estimate.training.seed);
  std::shared_ptr<const TimeBasis> basis;
  constexpr Index splines = 12;
  const auto [begin, end] = time_span(data);
  if (options.basis == "spline")
    basis = std::make_shared<const SplineBasis>(splines, begin, end);
  else
    basis = std::make_shared<const FourierFeatures>(
        FourierFeatures::draw(features, lowest, highest, random));
  const auto structure = std::make_shared<const ModulatedStructure>(
      std::move(base), basis, std::vector<std::vector<Index>>{},
      ModulatedStructure::Link::softplus);
  return train_varying(data, structure, random_courses(*structure, random),
                       options.estimate.training, options.magnus);
}

/// All features in all entries, from the constant generator.
VaryingFit with_features(const Dataset& data, const std::shared_ptr<const Structure>& base,
                         const Vector& theta, const VaryingEstimateOptions& options) {
  Random random(options.estimate.training.seed);
  const auto structure = std::make_shared<const ModulatedStructure>(
      base,
      std::make_shared<const FourierFeatures>(
          FourierFeatures::draw(features, lowest, highest, random)),
      std::vector<std::vector<Index>>{}, ModulatedStructure::Link::softplus);
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
  const Vector theta =
      options.theta.value_or(law->constants().parameters(law->constants().starting_values()));
  if (options.estimate.method == "adam")
    return train_varying(data, law, theta, options.estimate.training, options.magnus);
  return fit_varying(data, law, theta, {options.estimate.likelihood, options.magnus});
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
  constexpr double strong_evidence = 10, most_left = 1.0 / 3;
  const FitResiduals left = find_residuals(found.generator, found.starts, data);
  if (leaves_noise_only(left)) return {};
  double goal = information_criterion(left, found.structure->freedom()) - strong_evidence;
  std::optional<VaryingFit> best;
  for (const auto& base : bases) {
    VaryingEstimateOptions settings = options;
    settings.estimate.likelihood.stage += ", " + base->name();
    VaryingFit fit = find_variation(data, base, base->project(found.generator), settings);
    const double criterion = criterion_of(fit, data);
    const FitResiduals rest = find_residuals(fit, data);
    const bool explains = leaves_noise_only(rest) || rest.nrmse() < most_left * left.nrmse();
    if (!(criterion < goal) || !explains) continue;
    goal = criterion - strong_evidence;
    best = std::move(fit);
    if (best->stopped || leaves_noise_only(rest)) break;
  }
  return best;
}

}  // namespace lgn
