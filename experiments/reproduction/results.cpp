#include "experiments/reproduction/results.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "lgn/core/median.h"

namespace lgn::studies {
namespace {

/// What is no number has diverged.
std::vector<double> ordered(const std::vector<double>& values) {
  std::vector<double> all = values;
  for (double& value : all)
    if (std::isnan(value)) value = std::numeric_limits<double>::infinity();
  return all;
}

}  // namespace

double Row::median() const { return lgn::median(ordered(paper_method)); }

double Row::lowest() const {
  const std::vector<double> all = ordered(paper_method);
  return all.empty() ? std::nan("") : *std::min_element(all.begin(), all.end());
}

double Row::highest() const {
  const std::vector<double> all = ordered(paper_method);
  return all.empty() ? std::nan("") : *std::max_element(all.begin(), all.end());
}

std::string metric_title(const std::string& metric) {
  static constexpr std::array<std::pair<const char*, const char*>, 17> titles{{
      {"nrmse", "NRMSE"},
      {"rmse", "RMSE"},
      {"violations", "energy violations"},
      {"energy_spread", "σ_E"},
      {"mean_re", "mean Re λ"},
      {"unstable", "unstable poles"},
      {"generator_error", "‖A−A*‖/‖A*‖"},
      {"pole_error", "mean |Δλ|"},
      {"decay_error", "mean |Δ Re λ|, sorted"},
      {"relative_pole_error", "mean |Δλ|/|λ|"},
      {"relative_error", "mean ‖x̂ − x‖/‖x‖"},
      {"relative_decay_error", "mean |Δ Re λ|/|Re λ|, sorted"},
      {"parameters", "parameters"},
      {"seconds", "seconds"},
      {"constants_error", "largest error of a parameter"},
      {"order", "observed order"},
      {"step_error", "error at T = 10"},
  }};
  for (const auto& [name, title] : titles)
    if (metric == name) return title;
  return metric;
}

}  // namespace lgn::studies
