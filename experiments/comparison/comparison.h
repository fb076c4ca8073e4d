#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lgn/identify.h"

namespace lgn::studies {

/// What to compare, and how.
struct ComparisonOptions {
  /// Names that check_method_name (methods.h) knows.
  std::vector<std::string> methods = {"skew", "sd", "scaled-sd", "metric", "full", "linear-id"};
  /// Of every fit; structure and method are those of the names. `max_seconds` is for each method, and `observe`
  /// ends all of them. With a `holdout` of 0 all samples are fitted, and none is called the best.
  FitOptions fit = {.holdout = 0.2, .errors = Errors::never};
};

/// What one method made of the data.
struct ComparedMethod {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::string name;
  std::optional<Model> model = {};  ///< of the part that was fitted; nothing where there is none
  std::string problem = {};         ///< why there is none, or none of use; empty: all is well
  std::string help = {};            ///< what would help
  double nrmse_train = none;
  double nrmse_holdout = none;  ///< NaN also where the prediction leaves the range of numbers
  double criterion = none;      ///< Bayesian information criterion of the part that was fitted
  double seconds = none;        ///< of the fit
  bool best = false;  ///< its validation error does not differ significantly from the smallest

  /// The largest Re λ; of the mean generator where A varies in time.
  double largest_real_part() const;
};

/// Several methods on the same data.
struct Comparison {
  std::vector<ComparedMethod> methods;  ///< in the order in which they were asked for
  std::vector<std::string> channels;
  std::string time_unit = "s";
  double holdout = 0;
  std::string command = {};  ///< that made it; empty where a program did through the library
  Model::Data data;
};

/// Fits every method to the first part of each run, and lets it predict the rest from there.
///
/// Errors are those that `lgn fit --holdout` reports, of all methods alike: NRMSE of the part that was fitted, and of
/// the validation part, continued from the same initial states; the information criterion is that of selection.h. A
/// method that fails is an entry with the reason. Deterministic, but for the seconds, as identify() is.
/// Throws Error for data or options that cannot be used and for unknown or repeated names, NotIdentified where
/// every method failed.
Comparison compare(const Dataset& data, const ComparisonOptions& options = {});

}  // namespace lgn::studies
