#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lgn/physics/expected_errors.h"

namespace lgn {

/// An accuracy that is asked for: the standard error of a quantity, of one mode or of all.
struct Want {
  enum class Quantity { frequency, damping_ratio, time_constant };
  Quantity quantity = Quantity::frequency;
  double limit = 0;  ///< a fraction where `relative`, else in Hz, or in the unit of time
  bool relative = true;
  Index mode = 0;         ///< by its place among the modes that are listed, from 1; 0: all of them
  std::string text = {};  ///< as it was asked for
};

/// The modes that tables list: one of each conjugate pair, without those that are doubted.
std::vector<Mode> listed_modes(const Expectation& expected, const PlannedSystem& system);

/// Standard errors relative to their quantities, the largest over the listed modes; NaN where no mode has such a quantity.
struct RelativeErrors {
  double frequency = 0, damping_ratio = 0;  ///< of modes that oscillate
  double time_constant = 0;                 ///< of those that do not
};
RelativeErrors worst_errors(const Expectation& expected, const PlannedSystem& system);

/// The largest ratio of a standard error to what is wanted of it: 1 or less where all wants are met.
double shortfall(const Expectation& expected, const PlannedSystem& system,
                 const std::vector<Want>& wants);

/// One change of the plan, and what to expect then; nothing where that cannot be planned: too slow for a mode, or too few samples.
struct PlanPoint {
  double at = 0;
  std::optional<Expectation> expected = {};
};

/// What would meet all wants if nothing else of the plan changed.
struct PlanNeed {
  std::string what;                  ///< duration, rate, runs or noise
  std::optional<double> value = {};  ///< of noise: the factor on σ; nothing where none was found
  double best = 0;                   ///< the least shortfall that was seen, where none was found
};

/// A sensor that may come or go.
struct SensorChoice {
  Index channel = 0;
  bool add = true;  ///< else it is one of the plan's, and this is the plan without it
  Expectation expected;
  double gain =
      0;  ///< of information about the poles, in nats: that of the larger set of sensors less the smaller's
};

/// An input that may drive the test.
struct InputChoice {
  std::string input;
  Expectation expected;
  double crest = 1;  ///< the largest value of it over its rms
};

/// A measurement before it is made.
struct MeasurementPlan {
  PlannedSystem system;
  PlannedRecord record;
  std::vector<Want> wants;
  Expectation expected;
  std::vector<PlanPoint> durations, rates;    ///< from an eighth of the plan's to eight times of it
  std::vector<PlanNeed> needs;                ///< empty without wants
  std::vector<SensorChoice> sensors;          ///< the most telling first
  std::vector<InputChoice> inputs;            ///< of driven systems, the most telling first
  std::vector<std::string> assumptions = {};  ///< what was taken for granted, in words
};

/// What to expect of a record, and of others like it. About a hundred times the cost of expect_errors; throws Error as it does for the record
/// itself.
///
/// Needs are found by doubling and bisection, to a hundredth of the value, and rounded up to three digits. Sensors and inputs are ranked by what is wanted,
/// else by information: −½ log det of the covariance of the poles (D-optimality, all else eliminated). Inputs that are compared have the same rms. Rates
/// change inputs with them, since excitations are described in samples.
MeasurementPlan plan_measurement(PlannedSystem system, PlannedRecord record,
                                 std::vector<Want> wants = {});

}  // namespace lgn
