#include "lgn/report/page/report_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lgn/physics/metrics.h"
#include "lgn/physics/signal_content.h"
#include "lgn/report/page/drawn_runs_internal.h"
#include "lgn/report/page/page_parts_internal.h"

namespace lgn {
namespace {

constexpr const char* time_group = "time";

/// Channels by how much they have of something, most first.
std::vector<Index> most_of(const Vector& amounts, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(amounts.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return amounts[a] > amounts[b]; });
  order.resize(static_cast<std::size_t>(std::min(count, amounts.size())));
  return order;
}

/// Points of a run, those of the validation part in a colour of their own.
void draw_data(Plot& plot, const DrawnRun& run, const Vector& values) {
  const Index fitted = (run.times.array() < run.validation_from).count();
  plot.dots(run.times.head(fitted), values.head(fitted), 0, "data");
  if (fitted == run.times.size()) return;
  plot.dots(run.times.tail(run.times.size() - fitted), values.tail(values.size() - fitted), 5,
            "validation");
  plot.mark_x(run.validation_from, "validation");
}

}  // namespace

std::vector<ReportPlot> signal_plots(const Model& model, const DrawnRuns& drawn) {
  std::vector<ReportPlot> plots;
  for (std::size_t r = 0; r < drawn.runs.size(); ++r) {
    const DrawnRun& run = drawn.runs[r];
    const std::string of_run = r == 0 ? "" : fmt::format("-run-{}", r + 1);
    for (Index c = 0; c < drawn.channels; ++c) {
      const std::string& name = model.channels[static_cast<std::size_t>(c)];
      const std::string title =
          drawn.runs.size() > 1 ? fmt::format("{}, run {}", name, run.label) : name;
      Plot signal(title, time_label(model), name);
      draw_data(signal, run, run.data.row(c).transpose());
      if (run.curve.cols() > 0)
        signal.line(run.curve_times, run.curve.row(c).transpose(), 2, "model");
      plots.push_back({fmt::format("signal-{}{}", c + 1, of_run), time_group, std::move(signal)});
      if (run.residual.cols() == 0) continue;
      Plot residuals(title + ", residuals", time_label(model), "data − model", 720, 200);
      draw_data(residuals, run, run.residual.row(c).transpose());
      plots.push_back(
          {fmt::format("residual-{}{}", c + 1, of_run), time_group, std::move(residuals)});
    }
  }
  return plots;
}

ReportPlot autocorrelation_plot(const Model& model, const DrawnRuns& drawn) {
  constexpr Index most_lines = 6;
  const Matrix r = drawn.autocorrelation.values();
  const Index lags = drawn.autocorrelation.lags();
  Plot plot("Autocorrelation of the residuals", "lag [samples]", "autocorrelation");
  const Vector lag = Vector::LinSpaced(lags, 1, static_cast<double>(lags));
  const Vector band = drawn.autocorrelation.band();
  plot.band(lag, -band, band, 0);
  const Vector excess =
      r.rightCols(lags).array().isNaN().select(0.0, r.rightCols(lags)).rowwise().squaredNorm();
  int colour = 1;
  for (const Index c : most_of(excess, most_lines)) {
    plot.line(lag, r.row(c).tail(lags).transpose(), colour, "");
    plot.dots(lag, r.row(c).tail(lags).transpose(), colour++,
              model.channels[static_cast<std::size_t>(c)]);
  }
  const double highest = std::max(
      2 * band.maxCoeff(),
      r.rightCols(lags).array().isNaN().select(0.0, r.rightCols(lags)).cwiseAbs().maxCoeff());
  plot.range_y(-1.1 * highest, 1.1 * highest);
  return {"autocorrelation", "", std::move(plot)};
}

ReportPlot content_plot(const SignalContent& content) {
  const Index n = content.singular_values.size();
  Plot plot("Singular values of the data in units of noise", "index", "singular value");
  plot.log_y();
  const Vector number = Vector::LinSpaced(n, 1, static_cast<double>(n));
  plot.line(number, content.singular_values, 1, "");
  plot.circles(number, content.singular_values, 1, "data");
  const Vector ends{{0.5, static_cast<double>(n) + 0.5}};
  plot.line(ends, Vector::Constant(2, content.floor), 2, "noise floor", {1.5, true});
  return {"content", "", std::move(plot)};
}

EnergyPlots energy_plots(const Model& model, const Dataset& data) {
  constexpr Index points = 1200, most_lines = 5;
  EnergyPlots result;
  const bool promised = model.nonlinear && model.nonlinear->structure->state_energy() != nullptr;
  if (!(model.energy || promised) || model.ambient || model.drive.active()) return result;
  const auto& run = data.runs()[0];
  const Vector times = Vector::LinSpaced(points, run.times()[0], run.times()[run.samples() - 1]);
  const Matrix states = model.propagate_states(model.starts.col(0), times);
  const auto of_law = promised ? model.nonlinear->energies(states) : std::nullopt;
  Plot energy(of_law ? "Energy of the model" : "Energy of the model, ½ xᵀQx", time_label(model),
              "energy");
  energy.line(times, of_law ? *of_law : energies(states, *model.energy), 1, "");
  result.plots.push_back({"energy", time_group, std::move(energy)});
  if (model.guarantee.conservative || model.hidden() || model.nonlinear) return result;
  const Matrix power = channel_dissipation(states, model.generators(times), *model.energy);
  const Vector lost = power.rowwise().sum();
  if (!(lost.sum() > 0)) return result;
  result.shares = lost / lost.sum();
  result.channels = most_of(lost, most_lines);
  Plot loss("Dissipated power of the model, −xᵀQAx", time_label(model), "power");
  loss.line(times, power.colwise().sum().transpose(), 0, "all");
  int colour = 1;
  if (model.dimension() > 1)
    for (const Index c : result.channels)
      loss.line(times, power.row(c).transpose(), colour++,
                model.channels[static_cast<std::size_t>(c)], {1});
  result.plots.push_back({"power", time_group, std::move(loss)});
  return result;
}

}  // namespace lgn
