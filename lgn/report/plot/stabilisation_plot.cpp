#include "lgn/report/plot/stabilisation_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "lgn/core/number_text.h"
#include "lgn/physics/modal_assurance.h"
#include "lgn/report/plot/envelope.h"

namespace lgn {
namespace {

double hertz(const Model& model, double omega) {
  return omega / (2 * std::numbers::pi) / seconds_in(model.time_unit).value_or(1.0);
}

Vector as_vector(const std::vector<double>& list) {
  return Eigen::Map<const Vector>(list.data(), std::ssize(list));
}

/// The mean over channels, each relative to its largest value, as heights up to `top`, by its logarithm.
void draw_spectrum(Plot& plot, const Spectrum& data, double highest, double top) {
  constexpr Index most_points = 1600;
  constexpr double decades = 5;
  const Index count = (data.frequencies.array() <= highest).count();
  if (count < 2 || data.values.rows() == 0) return;
  Vector mean = Vector::Zero(count);
  for (Index c = 0; c < data.values.rows(); ++c) {
    const Vector here = data.values.row(c).head(count).transpose();
    if (here.maxCoeff() > 0) mean += here / here.maxCoeff();
  }
  const double largest = mean.maxCoeff();
  if (!(largest > 0)) return;
  const Vector height = mean.unaryExpr([&](double value) {
    const double down = -std::log10(std::max(value / largest, 1e-300));
    return top * std::max(0.0, 0.95 - 0.95 * down / decades);
  });
  plot.line(envelope_times(data.frequencies.head(count), most_points),
            envelope(height, most_points), 0, "spectrum of the data", {1, false, true});
}

}  // namespace

std::string stability_words(Index channels) {
  const StabilityCriteria limits;
  return fmt::format("frequency within {:g}%{} damping ratio within {:g}%{} of the order before",
                     100 * limits.frequency, channels > 1 ? "," : " and", 100 * limits.damping,
                     channels > 1 ? fmt::format(" and modal assurance criterion of at least {:g}",
                                                limits.assurance)
                                  : "");
}

std::string pole_title(const Model& model, const OrderPoles& order, Index pole, bool stable) {
  const Complex lambda = order.poles[pole];
  std::string text =
      fmt::format("{} states: {} {}, ζ {}; {}", order.states,
                  short_number(hertz(model, std::abs(lambda))), frequency_unit(model),
                  short_number(-lambda.real() / std::abs(lambda)), stable ? "stable" : "new");
  if (order.shapes.rows() > 1)
    text += fmt::format("; phase collinearity {:.3f}", phase_collinearity(order.shapes.col(pole)));
  return text;
}

Plot stabilisation_plot(const Model& model, const Spectrum& data, double highest) {
  const auto& orders = model.stabilisation->orders;
  const auto stable = stable_poles(orders);
  const double top = orders.empty() ? 2 : static_cast<double>(orders.back().states + 1);
  Plot plot("Stabilisation diagram", fmt::format("natural frequency [{}]", frequency_unit(model)),
            "states", 720, 420);
  plot.range_x(0, highest).range_y(0, top);
  draw_spectrum(plot, data, highest, top);
  std::vector<double> x[2], y[2], lines_x, lines_y;
  std::vector<Index> items[2];
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  for (const Mode& mode : model.modes) {
    if (!(mode.pole.imag() > 0)) continue;
    lines_x.insert(lines_x.end(), {mode.frequency_hz, mode.frequency_hz, gap});
    lines_y.insert(lines_y.end(), {0, top, gap});
  }
  Index item = 0;
  for (std::size_t k = 0; k < orders.size(); ++k)
    for (Index p = 0; p < orders[k].poles.size(); ++p, ++item) {
      const bool settled = stable[k][static_cast<std::size_t>(p)];
      x[settled].push_back(hertz(model, std::abs(orders[k].poles[p])));
      y[settled].push_back(static_cast<double>(orders[k].states));
      items[settled].push_back(item);
    }
  if (!lines_x.empty())
    plot.line(as_vector(lines_x), as_vector(lines_y), 2, "mode of the model", {1.2, true});
  if (!x[0].empty()) plot.circles(as_vector(x[0]), as_vector(y[0]), 5, "new pole", items[0]);
  if (!x[1].empty()) plot.crosses(as_vector(x[1]), as_vector(y[1]), 1, "stable pole", items[1]);
  return plot;
}

Plot hankel_plot(const Model& model) {
  const Vector& values = model.stabilisation->singular_values;
  const Index n = values.size();
  Plot plot("Singular values of the Hankel matrix", "index", "singular value");
  plot.log_y();
  const Vector number = Vector::LinSpaced(n, 1, static_cast<double>(n));
  plot.line(number, values, 1, "");
  plot.dots(number, values, 1, "");
  const double between = static_cast<double>(model.dimension()) + 0.5;
  if (model.dimension() < n) plot.mark_x(between, fmt::format("{} states", model.dimension()));
  return plot;
}

}  // namespace lgn
