#include "lgn/report/plot/plan_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/report/plot/plot.h"
#include "lgn/report/text/plan_text.h"

namespace lgn {
namespace {

constexpr std::size_t most_modes = 6;

/// A quantity that modes have an error of, as a panel shows it.
struct Shown {
  Want::Quantity quantity;
  std::string name;
};

/// In per cent; NaN where there is none.
double relative_error(const Mode& mode, Want::Quantity quantity) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (quantity == Want::Quantity::time_constant)
    return mode.oscillates() ? none : 100 * mode.se->time_constant / mode.time_constant;
  if (!mode.oscillates()) return none;
  if (quantity == Want::Quantity::frequency) return 100 * mode.se->frequency_hz / mode.frequency_hz;
  return mode.damping_ratio > 0 ? 100 * mode.se->damping_ratio / mode.damping_ratio : none;
}

std::string label_of(const Mode& mode, const RateUnit& unit, const std::string& time_unit) {
  return mode.oscillates() ? fmt::format("{:.4g} {}", mode.frequency_hz, unit.name)
                           : fmt::format("τ = {:.3g} {}", mode.time_constant, time_unit);
}

Plot panel(const MeasurementPlan& plan, const std::vector<PlanPoint>& points, const Shown& shown,
           bool is_rate) {
  const RateUnit unit = rate_unit(plan.system);
  const double factor = is_rate ? unit.factor : 1;
  Plot plot(fmt::format("{} against {}", shown.name, is_rate ? "sampling rate" : "record length"),
            is_rate ? fmt::format("sampling rate [{}]", unit.name)
                    : fmt::format("record length [{}]", plan.system.time_unit),
            "standard error [%]", 720, 280);
  plot.log_x().log_y();
  const std::vector<Mode> modes = listed_modes(plan.expected, plan.system);
  const auto count = static_cast<Index>(points.size());
  for (std::size_t m = 0; m < std::min(modes.size(), most_modes); ++m) {
    Vector x(count), y(count);
    for (Index k = 0; k < count; ++k) {
      const PlanPoint& point = points[static_cast<std::size_t>(k)];
      x[k] = factor * point.at;
      y[k] = std::numeric_limits<double>::quiet_NaN();
      if (!point.expected) continue;
      const std::vector<Mode> then = listed_modes(*point.expected, plan.system);
      if (m < then.size()) y[k] = relative_error(then[m], shown.quantity);
      // What nothing is known of would hide the rest.
      if (!(y[k] < 1000)) y[k] = std::numeric_limits<double>::quiet_NaN();
    }
    if (y.array().isNaN().all()) continue;
    plot.line(x, y, static_cast<int>(1 + m), label_of(modes[m], unit, plan.system.time_unit));
  }
  for (const Want& want : plan.wants)
    if (want.quantity == shown.quantity && want.relative) {
      const Vector ends{{factor * points.front().at, factor * points.back().at}};
      plot.line(ends, Vector::Constant(2, 100 * want.limit), 0, want.text, {1, true, true});
    }
  plot.mark_x(factor * (is_rate ? plan.record.rate : plan.record.duration), "plan");
  if (is_rate && fastest_oscillation(plan.system) > 0 &&
      2 * fastest_oscillation(plan.system) > points.front().at)
    plot.mark_x(factor * 2 * fastest_oscillation(plan.system), "aliasing below");
  return plot;
}

}  // namespace

std::string plan_svg(const MeasurementPlan& plan) {
  const std::vector<Mode> modes = listed_modes(plan.expected, plan.system);
  const auto has = [&](Want::Quantity quantity) {
    return std::any_of(modes.begin(), modes.end(), [&](const Mode& mode) {
      return std::isfinite(relative_error(mode, quantity));
    });
  };
  std::vector<Plot> panels;
  for (const Shown& shown : {Shown{Want::Quantity::damping_ratio, "damping ratio"},
                             Shown{Want::Quantity::frequency, "frequency"},
                             Shown{Want::Quantity::time_constant, "time constant"}}) {
    if (!has(shown.quantity)) continue;
    panels.push_back(panel(plan, plan.durations, shown, false));
    panels.push_back(panel(plan, plan.rates, shown, true));
  }
  return stacked_svg(panels);
}

}  // namespace lgn
