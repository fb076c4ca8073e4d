#include "lgn/report/plot/shape_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lgn/physics/modal_assurance.h"
#include "lgn/report/plot/mode_shapes.h"

namespace lgn {

Plot complexity_plot(const Model& model, Index which) {
  const Mode& mode = model.modes[static_cast<std::size_t>(which)];
  const double largest = std::max(mode.shape.cwiseAbs().maxCoeff(), 1e-300);
  const ComplexVector shape = mode.shape / largest;
  const Index channels = shape.size();
  Plot plot(fmt::format("{}: phase collinearity {:.3f}", mode_title(model, mode),
                        phase_collinearity(shape)),
            "real part", "imaginary part", 480, 480);
  plot.range_x(-1.1, 1.1).range_y(-1.1, 1.1).equal_axes();
  constexpr Index most_names = 6;
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  if (channels <= most_names) {
    for (Index c = 0; c < channels; ++c) {
      const auto colour = static_cast<int>(c + 1);
      plot.line(Vector{{0.0, shape[c].real()}}, Vector{{0.0, shape[c].imag()}}, colour, "");
      plot.circles(Vector{{shape[c].real()}}, Vector{{shape[c].imag()}}, colour,
                   model.channels[static_cast<std::size_t>(c)]);
    }
    return plot;
  }
  Matrix arrows(2, 3 * channels);
  for (Index c = 0; c < channels; ++c)
    arrows.middleCols(3 * c, 3) << 0, shape[c].real(), gap, 0, shape[c].imag(), gap;
  plot.line(arrows.row(0).transpose(), arrows.row(1).transpose(), 1, "", {1});
  plot.circles(shape.real(), shape.imag(), 1, "");
  return plot;
}

Plot assurance_plot(const Model& model, const std::vector<Index>& modes) {
  std::vector<const Mode*> shown;
  for (const Index k : modes) shown.push_back(&model.modes[static_cast<std::size_t>(k)]);
  const Matrix values = modal_assurance(shown);
  const Index n = values.rows();
  Plot plot("Modal assurance criterion between modes", "mode", "mode", 480, 480);
  const double end = static_cast<double>(n) + 0.5;
  plot.range_x(0.5, end).range_y(0.5, end);
  const Vector number = Vector::LinSpaced(n, 1, static_cast<double>(n));
  plot.cells(number.replicate(n, 1), number.transpose().replicate(n, 1).reshaped(),
             values.reshaped(), 1);
  constexpr Index most_numbers = 10;
  for (Index i = 0; i < n && n <= most_numbers; ++i)
    for (Index j = 0; j < n; ++j)
      if (i != j)
        plot.note(static_cast<double>(i + 1) - 0.2, static_cast<double>(j + 1),
                  fmt::format("{:.2f}", values(i, j)));
  return plot;
}

}  // namespace lgn
