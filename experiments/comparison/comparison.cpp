#include "experiments/comparison/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <set>

#include "experiments/comparison/judgement.h"
#include "experiments/comparison/methods.h"
#include "lgn/core/error.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/identify/residuals.h"

namespace lgn::studies {
namespace {

constexpr const char* not_tried = "not tried: the comparison was stopped";

void check_methods(const std::vector<std::string>& names) {
  if (names.empty()) throw Error("no method is named", "name some, such as sd,full,linear-id");
  std::set<std::string> seen;
  for (const auto& name : names) {
    check_method_name(name);
    if (!seen.insert(name).second)
      throw Error(fmt::format("the method \"{}\" is named twice", name));
  }
}

Split split_for(const Dataset& data, double fraction) {
  try {
    return split_in_time(data, fraction);
  } catch (const Error& error) {
    const bool sensible = fraction > 0 && fraction < 1;
    throw Error(
        error.problem(),
        sensible ? "hold out another part with --holdout, or none with --holdout 0" : error.help());
  }
}

/// None where a prediction leaves the range of numbers.
double error_of(const FitResiduals& residuals) {
  const double error = residuals.nrmse();
  return std::isfinite(error) ? error : ComparedMethod::none;
}

/// Fits one method, and measures what it leaves of the part that it has seen.
void fit_entry(ComparedMethod& entry, const Dataset& train, const FitOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  entry.model = fit_method(entry.name, train, options);
  entry.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const Model& model = *entry.model;
  const FitResiduals residuals = find_residuals(model.propagator(), model.starts, train);
  entry.nrmse_train = error_of(residuals);
  if (std::isnan(entry.nrmse_train))
    throw NotIdentified("its trajectory, or the data, leave nothing to compare",
                        "it may grow beyond all numbers: compare on shorter runs");
  entry.criterion = information_criterion(residuals, model.fit.numbers_in_a);
}

/// Measures the predictions, and finds the best of them.
void judge(std::vector<ComparedMethod>& entries, const Split& split) {
  std::vector<Vector> errors;
  double power = 0;
  for (auto& entry : entries) {
    errors.emplace_back();
    if (!entry.problem.empty()) continue;
    const Propagator flow = entry.model->propagator();
    const FitResiduals residuals = holdout_residuals(flow, entry.model->starts, split);
    entry.nrmse_holdout = error_of(residuals);
    if (std::isnan(entry.nrmse_holdout)) continue;
    entry.model->fit.nrmse_holdout = entry.nrmse_holdout;
    errors.back() = block_errors(flow, entry.model->starts, split);
    power = residuals.power.sum();
  }
  const std::vector<bool> best = find_best(errors, power);
  for (std::size_t k = 0; k < entries.size(); ++k) entries[k].best = best[k];
}

[[noreturn]] void report_failure(const std::vector<ComparedMethod>& entries) {
  std::vector<std::string> reasons;
  for (const auto& entry : entries) reasons.push_back(entry.name + ": " + entry.problem);
  throw NotIdentified(fmt::format("no method gave a model ({})", fmt::join(reasons, "; ")),
                      entries.front().help);
}

}  // namespace

double ComparedMethod::largest_real_part() const {
  double largest = -std::numeric_limits<double>::infinity();
  if (model)
    for (const Mode& mode : model->modes) largest = std::max(largest, mode.pole.real());
  return std::isfinite(largest) ? largest : none;
}

Comparison compare(const Dataset& data, const ComparisonOptions& options) {
  check_methods(options.methods);
  check_data(data, options.fit);
  if (const std::string input = data.active_input(); !input.empty())
    throw Error(fmt::format("\"{}\" is an input that is not zero, and methods are compared on free "
                            "motion only",
                            input),
                "use --inputs none if it is a measured channel");
  const double fraction = options.fit.holdout;
  std::optional<Split> split;
  if (fraction != 0) split = split_for(data, fraction);
  const Dataset& train = split ? split->train : data;

  Comparison result;
  result.channels = data.channels();
  result.time_unit = options.fit.time_unit;
  result.holdout = fraction;
  result.data.runs = static_cast<Index>(data.runs().size());
  result.data.samples = data.samples();
  result.data.step = median_step(data);

  bool stopped = false;
  for (const auto& name : options.methods) {
    ComparedMethod entry{name};
    FitOptions settings = options.fit;
    settings.observe = [&](const FitProgress& progress) {
      FitProgress named = progress;
      named.task = name + (progress.task.empty() ? "" : ", " + progress.task);
      stopped = stopped || (options.fit.observe && !options.fit.observe(named));
      return !stopped;
    };
    try {
      if (!settings.observe({"", 0, 1, ComparedMethod::none})) throw NotIdentified(not_tried);
      fit_entry(entry, train, settings);
      entry.model->fit.holdout = fraction;
    } catch (const Error& error) {
      entry.problem = error.problem();
      entry.help = error.help();
    } catch (const std::bad_alloc&) {
      entry.problem = "not enough memory";
    }
    result.methods.push_back(std::move(entry));
  }
  if (split) judge(result.methods, *split);
  const auto failed = [](const ComparedMethod& entry) { return !entry.problem.empty(); };
  if (std::all_of(result.methods.begin(), result.methods.end(), failed))
    report_failure(result.methods);
  return result;
}

}  // namespace lgn::studies
