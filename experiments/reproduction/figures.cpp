#include "experiments/reproduction/figures.h"

#include "lgn/physics/metrics.h"
#include "lgn/report/plot/plot.h"

namespace lgn::studies {
namespace {

constexpr int width = 620, height = 380;

void draw(Plot& plot, const Vector& x, const Vector& y, const Curve& curve) {
  const bool truth = curve.colour == truth_colour;
  plot.line(x, y, curve.colour, curve.label, {.width = truth ? 3.0 : 1.6, .dashed = curve.dashed});
}

void mark_end(Plot& plot, double end) {
  if (end > 0) plot.mark_x(end, "end of training");
}

}  // namespace

Vector relative_errors(const Matrix& states, const Matrix& truth) {
  return (states - truth).colwise().norm().cwiseQuotient(truth.colwise().norm()).transpose();
}

Panel phase_panel(const std::string& name, const std::string& title, const std::string& caption,
                  const std::vector<Curve>& curves, double reach) {
  Plot plot(title, "q", "p", width, height + 140);
  plot.range_x(-reach, reach).range_y(-reach, reach).equal_axes();
  for (const Curve& curve : curves)
    draw(plot, curve.states.row(0).transpose(), curve.states.row(1).transpose(), curve);
  return {name, caption, plot.svg()};
}

Panel signal_panel(const std::string& name, const std::string& title, const std::string& caption,
                   const Vector& times, const std::vector<Curve>& curves, double end,
                   const std::string& label) {
  const Vector truth = curves.front().states.row(0).transpose();
  const double reach = 1.5 * truth.cwiseAbs().maxCoeff();
  Plot plot(title, "t", label, width, height);
  plot.range_y(-reach, reach);
  mark_end(plot, end);
  for (const Curve& curve : curves) draw(plot, times, curve.states.row(0).transpose(), curve);
  return {name, caption, plot.svg()};
}

Panel error_panel(const std::string& name, const std::string& title, const std::string& caption,
                  const Vector& times, const std::vector<Curve>& curves, double end) {
  Plot plot(title, "t", "‖x̂ − x‖/‖x‖", width, height);
  plot.log_y();
  mark_end(plot, end);
  for (auto curve = curves.begin() + 1; curve != curves.end(); ++curve)
    draw(plot, times, relative_errors(curve->states, curves.front().states), *curve);
  return {name, caption, plot.svg()};
}

Panel energy_panel(const std::string& name, const std::string& title, const std::string& caption,
                   const Vector& times, const std::vector<Curve>& curves, bool logarithmic) {
  Plot plot(title, "t", "E = ½‖x‖²", width, height);
  if (logarithmic) plot.log_y();
  for (const Curve& curve : curves) {
    const Index n = curve.states.rows();
    draw(plot, times, energies(curve.states, Matrix::Identity(n, n)), curve);
  }
  return {name, caption, plot.svg()};
}

}  // namespace lgn::studies
