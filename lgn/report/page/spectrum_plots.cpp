#include "lgn/report/page/spectrum_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/data/scales.h"
#include "lgn/report/plot/envelope.h"

namespace lgn {
namespace {

constexpr Index most_spectra = 24, most_samples = 4'000'000, most_frequencies = 2000;

/// What the model does at the samples of each run, under its inputs, at even times as the data.
std::vector<EvenRun> responses(const Model& model, const Dataset& data, Index channels,
                               double step) {
  std::vector<Trajectory> runs;
  for (Index r = 0; r < std::min(std::ssize(data.runs()), model.starts.cols()); ++r) {
    const Trajectory& run = data.runs()[static_cast<std::size_t>(r)];
    Matrix response =
        model.propagate(model.starts.col(r), run.times(), run.inputs()).topRows(channels);
    // What has overflowed is not drawn.
    if (!response.allFinite()) response.setConstant(std::nan(""));
    runs.emplace_back(run.label(), run.times(), std::move(response));
  }
  return even_runs(Dataset({model.channels.begin(), model.channels.begin() + channels}, runs),
                   channels, step);
}

double fastest(const Model& model) {
  double result = 0;
  for (const Mode& mode : model.modes)
    if (mode.oscillates()) result = std::max(result, mode.frequency_hz);
  return result;
}

/// Of a spectrum, but for narrow gaps between what is next to them; rounding at least.
double lowest(const Vector& values) {
  constexpr double gaps = 0.02, rounding = 1e-9;
  if (values.size() == 0) return 0;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto at = static_cast<std::size_t>(gaps * static_cast<double>(sorted.size()));
  return std::max(sorted[at], rounding * sorted.back());
}

}  // namespace

Spectra find_spectra(const Model& model, const Dataset& data) {
  const double step = median_step(data);
  if (!(step > 0)) return {};
  const Index room = most_samples / std::max<Index>(1, data.samples());
  const Index channels = std::clamp<Index>(room, 1, std::min(model.outputs(), most_spectra));
  std::vector<EvenRun> runs = even_runs(data, channels, step);
  if (runs.empty() || (!model.ambient && model.starts.cols() == 0)) return {};
  Spectra spectra;
  const double unit = seconds_in(model.time_unit).value_or(1.0);
  if (model.ambient) {
    spectra.data = welch_density(runs, step);
    spectra.data.values *= unit;
    spectra.model = unit * model_density(model.a, model.c, model.ambient->g,
                                         model.ambient->variance, step, spectra.data.frequencies)
                               .topRows(channels);
  } else {
    const Vector rest = model.rest().head(channels);
    std::vector<EvenRun> response = responses(model, data, channels, step);
    // Runs in which a channel is silent have no spectrum.
    std::erase_if(response, [&](const EvenRun& one) {
      return std::none_of(runs.begin(), runs.end(),
                          [&](const EvenRun& other) { return other.run == one.run; });
    });
    std::erase_if(runs, [&](const EvenRun& run) { return run.run >= model.starts.cols(); });
    spectra.data = amplitude_spectrum(runs, step, rest);
    spectra.model = amplitude_spectrum(response, step, rest).values;
  }
  spectra.data.frequencies /= unit;
  const double last = spectra.data.frequencies[spectra.data.frequencies.size() - 1];
  spectra.highest = fastest(model) > 0 ? std::min(last, 2 * fastest(model)) : last;
  return spectra;
}

std::vector<ReportPlot> spectrum_plots(const Model& model, const Spectra& spectra) {
  std::vector<ReportPlot> plots;
  const Vector& all = spectra.data.frequencies;
  const Index count = (all.array() <= spectra.highest).count();
  const Vector frequencies = envelope_times(all.head(count), most_frequencies);
  const std::string unit = frequency_unit(model);
  for (Index c = 0; c < spectra.data.values.rows(); ++c) {
    const std::string& name = model.channels[static_cast<std::size_t>(c)];
    const Vector data = spectra.data.values.row(c).head(count).transpose();
    Plot plot(name + ", spectrum", fmt::format("frequency [{}]", unit),
              model.ambient ? fmt::format("density [{}²/{}]", name, unit) : "|FFT| · Δt");
    plot.log_y().range_x(0, spectra.highest);
    const double largest = data.maxCoeff(), low = 0.2 * lowest(data);
    if (low > 0) plot.range_y(low, 3 * largest);
    plot.line(frequencies, envelope(data, most_frequencies), 0, "data", {1});
    plot.line(frequencies, envelope(spectra.model.row(c).head(count).transpose(), most_frequencies),
              2, "model");
    plots.push_back({fmt::format("spectrum-{}", c + 1), frequency_group, std::move(plot)});
  }
  return plots;
}

}  // namespace lgn
