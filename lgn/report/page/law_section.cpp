#include "lgn/report/page/law_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lgn/model/law_curves.h"
#include "lgn/report/page/page_parts_internal.h"
#include "lgn/report/text/law_text.h"

namespace lgn {
namespace {

constexpr std::size_t most_plots = 6;  // of one kind

std::string name_of(const Model& model, Index state) {
  return model.states()[static_cast<std::size_t>(state)];
}

/// Pairs of states to draw against one another: of masses each position and its velocity, else the first and each other.
std::vector<std::pair<Index, Index>> planes_of(const Model& model) {
  std::vector<std::pair<Index, Index>> planes;
  const Index n = model.dimension(), masses = n / 2;
  const bool moving = model.nonlinear->recipe.name == "nonlinear-mechanical";
  for (Index k = moving ? 0 : 1; k < (moving ? masses : n); ++k)
    planes.emplace_back(moving ? k : 0, moving ? masses + k : k);
  planes.resize(std::min(planes.size(), most_plots / 2));
  return planes;
}

/// Courses of the law from around what the data show, for two states: those go on where data end.
void draw_courses(Plot& plot, const Model& model, const Vector& centre, const Vector& reach) {
  constexpr int courses = 12;
  constexpr Index points = 160;  // some pixels apart: pages draw what shares a column as one stroke
  double slowest = std::numeric_limits<double>::infinity();
  for (const Mode& mode : model.modes) slowest = std::min(slowest, std::abs(mode.pole));
  const Vector times = Vector::LinSpaced(points, 0, 2 * 2 * std::numbers::pi / slowest);
  if (!times.allFinite()) return;
  for (int k = 0; k < courses; ++k) {
    const double angle = 2 * std::numbers::pi * k / courses;
    const Vector start = centre + reach.cwiseProduct(Vector{{std::cos(angle), std::sin(angle)}});
    Matrix course = model.nonlinear->propagate(start, times);
    // A course that leaves the frame is not followed further.
    for (Index i = 0; i < points; ++i)
      if (!((course.col(i) - centre).cwiseAbs().array() <= 1.3 * reach.array()).all()) {
        course.rightCols(points - i).setConstant(std::nan(""));
        break;
      }
    course.colwise() += model.rest();
    plot.line(course.row(0).transpose(), course.row(1).transpose(), 0, "", {0.8, false, true});
  }
}

Plot portrait(const Model& model, const Dataset& data, Index across, Index up,
              const Matrix& visited, Index each) {
  constexpr std::size_t most_runs = 5;
  const auto& law = *model.nonlinear;
  Plot plot("Phase portrait", name_of(model, across), name_of(model, up), 720, 440);
  const Vector rest = model.rest(), low = visited.rowwise().minCoeff(),
               high = visited.rowwise().maxCoeff();
  const auto runs = std::min(most_runs, data.runs().size());
  if (model.dimension() == 2)
    draw_courses(plot, model, 0.5 * (low + high), 0.55 * (high - low).cwiseMax(1e-300));
  for (std::size_t r = 0; r < runs; ++r) {
    const Matrix& states = data.runs()[r].states();
    if (up >= states.rows()) break;  // velocities that nobody measured
    plot.dots(states.row(across).transpose(), states.row(up).transpose(), 0, r == 0 ? "data" : "");
  }
  const Index shown = std::min(static_cast<Index>(runs), model.starts.cols());
  for (Index r = 0; r < shown; ++r) {
    const Matrix course = visited.middleCols(r * each, each).colwise() + rest;
    plot.line(course.row(across).transpose(), course.row(up).transpose(), 2, r == 0 ? "model" : "");
  }
  for (const bool stable : {true, false}) {
    std::vector<double> x, y;
    for (const auto& one : law.equilibria) {
      if (one.stable != stable) continue;
      x.push_back(one.state[across] + rest[across]);
      y.push_back(one.state[up] + rest[up]);
    }
    if (x.empty()) continue;
    const auto count = static_cast<Index>(x.size());
    const Vector xs = Eigen::Map<const Vector>(x.data(), count),
                 ys = Eigen::Map<const Vector>(y.data(), count);
    if (stable)
      plot.circles(xs, ys, 3, "stable at rest");
    else
      plot.crosses(xs, ys, 6, "unstable at rest");
  }
  return plot;
}

/// States of the runs under their inputs, as many samples of each as the shortest has.
Matrix driven_states(const Model& model, const Dataset& data, Index each) {
  const Index runs = std::min(model.starts.cols(), static_cast<Index>(data.runs().size()));
  Matrix states(model.dimension(), runs * each);
  for (Index r = 0; r < runs; ++r) {
    const auto& run = data.runs()[static_cast<std::size_t>(r)];
    states.middleCols(r * each, each) =
        model.propagate_states(model.starts.col(r), run.times(), run.inputs()).leftCols(each);
  }
  return states.array().isFinite().select(states, 0.0);
}

void draw_curve(Plot& plot, const Model& model, const Vector& x, const Vector& y,
                const Vector& error) {
  if (error.size() > 0)
    plot.band(x, y - model.fit.interval * error, y + model.fit.interval * error, 1);
  plot.line(x, y, 1, "");
}

std::string banded(const Model& model, const std::string& title, const Vector& error) {
  return error.size() == 0
             ? title
             : fmt::format("{}, with its {:.4g}% band", title, 100 * model.fit.confidence);
}

void add_forces(std::vector<ReportPlot>& plots, const Model& model,
                const std::vector<LawCurve>& curves, const std::string& kind,
                const std::string& label) {
  for (std::size_t k = 0; k < std::min(curves.size(), most_plots); ++k) {
    const LawCurve& curve = curves[k];
    Plot plot(banded(model, fmt::format("Force of {} {}", kind, curve.name), curve.error), label,
              "force / mass 1");
    draw_curve(plot, model, curve.x, curve.y, curve.error);
    plots.push_back({fmt::format("{}-{}", kind, k + 1), "", std::move(plot)});
  }
}

void add_energies(std::vector<ReportPlot>& plots, const Model& model, const Matrix& visited) {
  const bool masses = model.nonlinear->recipe.name == "nonlinear-mechanical";
  const auto curves = energy_curves(*model.nonlinear, visited);
  for (std::size_t k = 0; k < std::min(curves.size(), most_plots); ++k) {
    const LawCurve& curve = curves[k];
    const std::string state = name_of(model, static_cast<Index>(k));
    const std::string what = masses ? "Potential along " : "Energy along ";
    Plot plot(banded(model, what + state, curve.error), state, masses ? "potential" : "energy");
    const Vector x = curve.x.array() + model.rest()[static_cast<Index>(k)];
    draw_curve(plot, model, x, curve.y, curve.error);
    plots.push_back({fmt::format("potential-{}", k + 1), "", std::move(plot)});
  }
}

void add_backbone(std::vector<ReportPlot>& plots, const Model& model) {
  const auto found = find_backbone(model);
  if (!found) return;
  const std::string across = "amplitude of " + name_of(model, 0);
  Plot frequency(banded(model, "Natural frequency against amplitude", found->frequency_errors),
                 across, fmt::format("frequency [{}]", frequency_unit(model)));
  draw_curve(frequency, model, found->amplitudes, found->frequencies, found->frequency_errors);
  plots.push_back({"backbone-frequency", "backbone", std::move(frequency)});
  Plot damping(banded(model, "Damping ratio against amplitude", found->damping_errors), across,
               "ζ");
  draw_curve(damping, model, found->amplitudes, found->damping, found->damping_errors);
  plots.push_back({"backbone-damping", "backbone", std::move(damping)});
}

}  // namespace

std::vector<ReportPlot> law_plots(const Model& of_channels, const Dataset& data) {
  std::vector<ReportPlot> plots;
  if (!of_channels.nonlinear || of_channels.starts.cols() == 0) return plots;
  const Model model = states_as_channels(of_channels);
  const bool driven = model.drive.active();
  Index each = data.runs().front().samples();
  for (const auto& run : data.runs()) each = std::min(each, run.samples());
  const Matrix visited = driven ? driven_states(model, data, each) : visited_states(model);
  if (!driven) each = visited.cols() / std::min<Index>(20, model.starts.cols());
  for (const auto& [across, up] : planes_of(model))
    plots.push_back({fmt::format("portrait-{}", plots.size() + 1), "",
                     portrait(model, data, across, up, visited, each)});
  add_backbone(plots, model);
  add_energies(plots, model, visited);
  add_forces(plots, model, spring_curves(*model.nonlinear, visited), "spring", "elongation");
  add_forces(plots, model, damper_curves(*model.nonlinear, visited), "damper",
             "rate of elongation");
  return plots;
}

std::string law_html(const Model& model, const std::vector<ReportPlot>& plots) {
  if (!model.nonlinear) return {};
  std::string out = heading("Law") + fmt::format("<pre>{}</pre>", escape_markup(law_text(model)));
  for (const auto& plot : plots)
    out += figure_html(plot.name, plot.name.rfind("portrait", 0) == 0 ? "tall" : "");
  const Table backbone = backbone_rows(model);
  return backbone.rows.empty() ? out : out + table_html(backbone);
}

}  // namespace lgn
