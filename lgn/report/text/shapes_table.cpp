#include "lgn/report/text/shapes_table.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace lgn {
namespace {

/// A phase in degrees within (−180, 180]; beside 0 and −180 rounding does not count.
double phase_in_degrees(const Complex& entry) {
  constexpr double rounding = 1e-9;
  const double phase = std::arg(entry) * 180 / std::numbers::pi;
  if (std::abs(phase) < rounding) return 0;
  return phase <= -180 + rounding ? 180 : phase;
}

/// Size and phase of one entry relative to the largest, with their errors where these are known.
std::vector<std::string> entry_cells(const Mode& mode, Index channel, double largest) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const Complex entry = mode.shape[channel] / largest;
  const double size = std::abs(entry);
  double size_error = unknown, phase_error = unknown;
  if (mode.shape_errors.size() > 0 && size > 0) {
    const Complex error = mode.shape_errors[channel] / largest;
    const double cosine = entry.real() / size, sine = entry.imag() / size;
    size_error = std::hypot(cosine * error.real(), sine * error.imag());
    phase_error =
        std::hypot(sine * error.real(), cosine * error.imag()) / size * 180 / std::numbers::pi;
  }
  const auto cell = [](double value, double error) {
    return error > 0 ? with_error(value, error) : short_number(value);
  };
  return {cell(size, size_error), size > 0 ? cell(phase_in_degrees(entry), phase_error) : "–"};
}

}  // namespace

std::vector<Index> shaped_modes(const Model& model) {
  constexpr std::size_t most = 100;
  constexpr Index most_channels = 1000;
  if (model.outputs() > most_channels) return {};
  std::vector<Index> modes;
  for (std::size_t k = 0; k < model.modes.size() && modes.size() < most; ++k)
    if (model.modes[k].pole.imag() >= 0 && model.modes[k].shape.size() == model.outputs())
      modes.push_back(static_cast<Index>(k));
  return modes;
}

std::string mode_title(const Model& model, const Mode& mode) {
  if (!mode.oscillates())
    return fmt::format("no oscillation, τ {} {}", short_number(mode.time_constant),
                       model.time_unit);
  return fmt::format("{} {}, ζ {}", short_number(mode.frequency_hz), frequency_unit(model),
                     short_number(mode.damping_ratio));
}

Table shapes(const Model& model) {
  Table table{{"mode", "channel", "size", "phase [°]"}, {}};
  for (const Index k : shaped_modes(model)) {
    const Mode& mode = model.modes[static_cast<std::size_t>(k)];
    const double largest = mode.shape.cwiseAbs().maxCoeff();
    if (!(largest > 0) || !mode.identifiable.value_or(true)) continue;
    for (Index c = 0; c < mode.shape.size(); ++c) {
      std::vector<std::string> row{c == 0 ? mode_title(model, mode) : std::string(),
                                   model.channels[static_cast<std::size_t>(c)]};
      for (std::string& cell : entry_cells(mode, c, largest)) row.push_back(std::move(cell));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::string shapes_table(const Model& model) {
  const Table table = shapes(model);
  if (table.rows.empty())
    return "no mode shapes: there are too many channels, or no mode that the data determine oscillates\n";
  return text_table(table.header, table.rows) +
         "size and phase beside the channel where the mode is largest; ± one standard error\n";
}

}  // namespace lgn
