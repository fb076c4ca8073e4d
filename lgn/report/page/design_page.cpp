#include "lgn/report/page/design_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "lgn/core/error.h"
#include "lgn/design/design_responses.h"
#include "lgn/physics/assignment.h"
#include "lgn/report/network/network_drawing.h"
#include "lgn/report/page/page_frame_internal.h"
#include "lgn/report/page/page_parts_internal.h"
#include "lgn/report/text/response_text.h"

namespace lgn {
namespace {

constexpr int old_colour = 0, new_colour = 2;

/// Poles in the upper half plane.
std::vector<Complex> upper_poles(const Model& model) {
  std::vector<Complex> poles;
  for (const Mode& mode : model.modes)
    if (mode.pole.imag() >= 0) poles.push_back(mode.pole);
  return poles;
}

/// From old poles to the new ones of least total distance; a pair that met on the axis has two real ones.
ReportPlot moved_poles(const Model& before, const Model& after) {
  const std::vector<Complex> from = upper_poles(before), to = upper_poles(after);
  double left = 0, right = 0, high = 0;
  for (const auto* list : {&from, &to})
    for (const Complex pole : *list) {
      left = std::min(left, pole.real());
      right = std::max(right, pole.real());
      high = std::max(high, pole.imag());
    }
  const double wide = std::max({right - left, 0.05 * high, 1e-12});
  if (high == 0) high = wide;
  constexpr int width = 720, height = 420;
  Plot plot("Poles before and after, upper half plane", fmt::format("Re λ [1/{}]", after.time_unit),
            fmt::format("Im λ [rad/{}]", after.time_unit), width, height);
  const double x0 = left - 0.1 * wide, x1 = right + 0.1 * wide, y0 = -0.05 * high, y1 = 1.1 * high;
  plot.range_x(x0, x1).range_y(y0, y1);
  plot.line(Vector::Zero(2), Vector{{y0, y1}}, 0, "", {1, true, true});
  const double sx = width / (x1 - x0), sy = height / (y1 - y0);
  Matrix cost(std::ssize(from), std::max(std::ssize(from), std::ssize(to)));
  cost.setConstant(1e6 * (wide + high));
  for (Index i = 0; i < cost.rows(); ++i)
    for (Index j = 0; j < std::ssize(to); ++j)
      cost(i, j) = std::abs(from[static_cast<std::size_t>(i)] - to[static_cast<std::size_t>(j)]);
  const std::vector<Index> own = from.empty() ? std::vector<Index>{} : assign(cost);
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] >= std::ssize(to)) continue;
    const Complex a = from[i], b = to[static_cast<std::size_t>(own[i])];
    // In pixels, so that heads look alike whatever the axes.
    const double dx = (b - a).real() * sx, dy = (b - a).imag() * sy, length = std::hypot(dx, dy);
    if (!(length > 3)) continue;
    // The head ends before the mark of the new pole, which would hide it.
    const Complex tip = b - (b - a) * std::min(0.5, 8 / length);
    plot.line(Vector{{a.real(), tip.real()}}, Vector{{a.imag(), tip.imag()}}, 1, "", {1.2});
    Vector x(3), y(3);
    const double head = std::min(9.0, 0.5 * length);
    for (const int side : {-1, 1}) {
      const double angle = std::atan2(dy, dx) + side * 0.85 * std::numbers::pi;
      x[side + 1] = tip.real() + head * std::cos(angle) / sx;
      y[side + 1] = tip.imag() + head * std::sin(angle) / sy;
    }
    x[1] = tip.real();
    y[1] = tip.imag();
    plot.line(x, y, 1, "", {1.2});
  }
  const auto add = [&](const std::vector<Complex>& list, bool circles) {
    Vector re(std::ssize(list)), im(std::ssize(list));
    for (Index k = 0; k < re.size(); ++k) {
      re[k] = list[static_cast<std::size_t>(k)].real();
      im[k] = list[static_cast<std::size_t>(k)].imag();
    }
    if (circles)
      plot.circles(re, im, old_colour, "before");
    else
      plot.crosses(re, im, new_colour, "after");
  };
  add(from, true);
  add(to, false);
  return {"moved-poles", "", std::move(plot)};
}

void both(Plot& plot, const Vector& x, const Vector& before, const Vector& after) {
  plot.line(x, before, old_colour, "before", {1.5, true, false});
  plot.line(x, after, new_colour, "after");
}

std::vector<ReportPlot> response_plots_of(const Model& before, const Model& after) {
  std::vector<ReportPlot> plots;
  std::size_t number = 0;
  for (const DesignedResponse& one : design_responses(before, after)) {
    const std::string name = one.output + " / " + one.input;
    const Vector frequencies = frequency_factor(after) * one.omega;
    Plot magnitude(name + ", magnitude", fmt::format("frequency [{}]", frequency_unit(after)),
                   "|H|", 720, 300);
    magnitude.log_x().log_y();
    both(magnitude, frequencies, one.before, one.after);
    plots.push_back({fmt::format("magnitude-{}", ++number), "response", std::move(magnitude)});
    if (one.times.size() == 0) continue;
    Plot step(name + ", step response", fmt::format("time [{}]", after.time_unit), "response", 720,
              260);
    both(step, one.times, one.step_before, one.step_after);
    plots.push_back({fmt::format("step-{}", number), "response-time", std::move(step)});
  }
  return plots;
}

/// Free motion of the first channels from the first initial state; of driven systems, responses say more.
std::vector<ReportPlot> free_plots(const Model& before, const Model& after) {
  std::vector<ReportPlot> plots;
  if (after.drive.active() || after.starts.cols() == 0 || after.starts.col(0).norm() == 0)
    return plots;
  double slowest = 1e300, fastest = 0;
  for (const auto* model : {&before, &after})
    for (const Mode& mode : model->modes) {
      if (mode.pole.real() < 0) slowest = std::min(slowest, -mode.pole.real());
      fastest = std::max(fastest, std::abs(mode.pole));
    }
  if (!(fastest > 0)) return plots;
  const Vector times = Vector::LinSpaced(1500, 0, std::min(4 / slowest, 400 / fastest));
  const Vector x0 = after.starts.col(0);
  const Matrix old_course = before.propagate(x0, times), new_course = after.propagate(x0, times);
  constexpr Index most = 6;
  for (Index c = 0; c < std::min(most, after.outputs()); ++c) {
    Plot plot(after.channels[static_cast<std::size_t>(c)] + ", free response",
              fmt::format("time [{}]", after.time_unit),
              after.channels[static_cast<std::size_t>(c)], 720, 220);
    both(plot, times, old_course.row(c), new_course.row(c));
    plots.push_back({fmt::format("free-{}", c + 1), "time", std::move(plot)});
  }
  return plots;
}

std::vector<ReportPlot> plots_of(const Model& before, const Model& after) {
  std::vector<ReportPlot> plots{moved_poles(before, after)};
  for (auto& more : {response_plots_of(before, after), free_plots(before, after)})
    plots.insert(plots.end(), more.begin(), more.end());
  return plots;
}

std::string number(double value) {
  return std::isnan(value) ? std::string("none") : fmt::format("{:.6g}", value);
}

std::string elements_html(const DesignRecord& design) {
  Table table{{"element", "quantity", "before", "after", "factor", "bounds", ""}, {}};
  using Bound = DesignedValue::Bound;
  for (const DesignedValue& value : design.values)
    table.rows.push_back(
        {value.name, value.quantity, number(value.before), number(value.after),
         value.before != 0 ? fmt::format("{:.4g}", value.after / value.before) : "–",
         number(value.low) + " … " + number(value.high),
         value.bound == Bound::none    ? ""
         : value.bound == Bound::lower ? "lower"
                                       : "upper"});
  const std::string series =
      design.series.empty() ? "" : "Preferred values: " + design.series + ".";
  return heading("Elements", series) + table_html(table);
}

std::string wanted_html(const DesignRecord& design) {
  const bool drawn = design.draws.has_value();
  Table table{{"wanted", "before", "after", "", ""}, {}};
  if (drawn) table.header[3] = fmt::format("in {:.0f}% of draws", 100 * design.draws->wanted);
  const auto add = [&](const DesignedProperty& one) {
    table.rows.push_back({one.text, number(one.before), number(one.after),
                          drawn ? number(one.likely) : "", one.binding ? "binds" : ""});
  };
  for (const DesignedProperty& target : design.targets) add(target);
  add(design.objective);
  std::string words = "Of several modes or peaks, the one nearest to the limit.";
  if (drawn)
    words += fmt::format(
        " Over the errors of the values {} in {:.1f}% of {} draws.",
        design.targets.empty() ? "the objective is no worse than foreseen" : "all targets hold",
        100 * design.draws->held, design.draws->count);
  return heading("Targets", words) + table_html(table);
}

/// What tolerance matters; of many values those that matter most.
std::string sensitivities_html(const DesignRecord& design) {
  constexpr std::size_t most = 12;
  const Index count = std::ssize(design.values);
  std::vector<const DesignedProperty*> rows;
  for (const DesignedProperty& target : design.targets) rows.push_back(&target);
  rows.push_back(&design.objective);
  Vector largest = Vector::Zero(count);
  for (const auto* row : rows)
    if (row->sensitivities.size() == count && row->sensitivities.allFinite())
      largest = largest.cwiseMax(row->sensitivities.cwiseAbs());
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return largest[a] > largest[b]; });
  order.resize(std::min(order.size(), most));
  Table table{{"moved by 1% of"}, {}};
  for (const Index k : order)
    table.header.push_back(design.values[static_cast<std::size_t>(k)].name);
  table.header.emplace_back();
  for (const auto* row : rows) {
    if (row->sensitivities.size() != count) continue;
    std::vector<std::string> cells{row->text};
    for (const Index k : order) cells.push_back(fmt::format("{:+.3g}%", row->sensitivities[k]));
    cells.emplace_back();
    table.rows.push_back(std::move(cells));
  }
  if (table.rows.empty()) return {};
  return heading("Sensitivities",
                 "How far, in per cent, each property moves when an element is 1% larger: what "
                 "tolerance matters. Of many elements, those that matter most.") +
         table_html(table);
}

std::string short_modes_html(const Model& model) {
  // The last column holds words, as in the tables above.
  Table table{
      {fmt::format("pole [1/{}]", model.time_unit), fmt::format("f [{}]", frequency_unit(model)),
       "ζ", fmt::format("τ [{}]", model.time_unit), ""},
      {}};
  for (const ModeRow& row : mode_rows(model))
    table.rows.push_back({row.pole, row.frequency, row.damping, row.time_constant, ""});
  return table_html(table);
}

}  // namespace

std::vector<Figure> design_figures(const Model& before, const Model& after) {
  std::vector<Figure> figures;
  for (const ReportPlot& plot : plots_of(before, after))
    figures.push_back({plot.name, plot.plot.svg()});
  return figures;
}

std::string design_report(const Model& before, const Model& after) {
  if (!after.design) throw Error("the model was not designed", "write one with lgn design");
  const DesignRecord& design = *after.design;
  const std::vector<ReportPlot> plots = plots_of(before, after);
  std::string body = fmt::format(
      "<h1>Designed system</h1><p class='lead'>{} {} chosen to {}: it was {}, and is {} now.</p>",
      counted(std::ssize(design.values), "value"), design.values.size() == 1 ? "was" : "were",
      escape_markup(design.objective.text), number(design.objective.before),
      number(design.objective.after));
  body += elements_html(design) + wanted_html(design) + sensitivities_html(design);
  body += heading("Poles that moved") + figure_html("moved-poles", "tall");
  body += "<h3>Modes before</h3>" + short_modes_html(before) + "<h3>Modes after</h3>" +
          short_modes_html(after);
  if (plots.size() > 1) body += heading("Responses before and after");
  for (std::size_t k = 1; k < plots.size(); ++k) body += figure_html(plots[k].name);
  if (after.network)
    body += heading("Network") + "<div class='drawing'>" + network_svg(*after.network) + "</div>";
  body += heading("Reproducibility");
  if (!after.command.empty()) body += "<pre>" + escape_markup(after.command) + "</pre>";
  body += fmt::format("<p>lgn {}; {} from {}{}</p>", escape_markup(after.version),
                      counted(design.iterations, "step"), counted(design.starts, "start"),
                      design.converged ? "" : "; the search ended before its steps became small");
  return page_html("design", body, after, plots);
}

}  // namespace lgn
