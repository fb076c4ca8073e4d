#include <algorithm>
#include <cmath>
#include <optional>

#include "lgn/core/error.h"
#include "lgn/data/windows.h"
#include "lgn/model/prediction.h"
#include "lgn/report/page/drawn_runs_internal.h"
#include "lgn/report/plot/envelope.h"

namespace lgn {
namespace {

// Three curves for each channel of a run: data, model and residuals. Together they hold at most
// so many numbers of four bytes, which a page writes as 6.4 MB of text.
constexpr Index most_numbers = 1200000, curves = 3;
constexpr Index fewest_points = 800, most_points = 8000, most_channels = 400;
/// Of a network that has thousands, the first show what signals look like.
constexpr Index most_of_large = 12;
/// Fewer samples than this do not show how a curve runs between them.
constexpr Index smooth = 1000;

Matrix thinned(const Matrix& rows, Index channels, Index most) {
  Matrix thin(channels, std::min(rows.cols(), std::max<Index>(most / 2, 1) * 2));
  for (Index c = 0; c < channels; ++c)
    thin.row(c) = envelope(rows.row(c).transpose(), most).transpose();
  return thin;
}

/// Mean squares of rows, over what is not missing.
class MeanSquares {
 public:
  explicit MeanSquares(Index rows) : squares_(Vector::Zero(rows)), count_(Vector::Zero(rows)) {}

  void add(const Matrix& values) {
    const auto missing = values.array().isNaN();
    squares_ += missing.select(0.0, values).rowwise().squaredNorm();
    count_ += Vector((!missing).cast<double>().rowwise().sum());
  }
  double count() const { return count_.sum(); }
  Vector values() const { return squares_.array() / count_.array().max(1.0); }

 private:
  Vector squares_, count_;
};

DrawnRun without_model(const Trajectory& run, Index channels, Index points) {
  DrawnRun drawn;
  drawn.label = run.label();
  drawn.times = envelope_times(run.times(), points);
  drawn.data = thinned(run.states(), channels, points);
  return drawn;
}

/// One-step predictions where the model has a gain for them, on a grid that is its own.
std::optional<Prediction> next_samples(const Model& model, const Dataset& data) {
  if (!model.innovation.active()) return {};
  try {
    return predict(model, data, 1);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

DrawnRuns draw_runs(const Model& model, const Dataset& data) {
  const bool responds = !model.ambient;  // from an initial state
  if (responds && model.starts.cols() == 0)
    throw Error("a model without initial states cannot be drawn");
  const Index n = model.outputs(), given = std::ssize(data.runs());
  const Index runs = responds ? std::min(given, model.starts.cols()) : given;
  Index longest = 0;
  for (const auto& run : data.runs()) longest = std::max(longest, run.samples());
  DrawnRuns drawn{{},
                  std::min(n, model.sparse ? most_of_large : most_channels),
                  Autocorrelation(n, responds ? Autocorrelation::useful_lags(longest) : 0),
                  {},
                  {},
                  {}};
  const Index runs_drawn =
      std::clamp<Index>(most_numbers / (drawn.channels * curves * fewest_points), 1, runs);
  const Index points = std::clamp(most_numbers / (drawn.channels * curves * runs_drawn) / 2 * 2,
                                  fewest_points, most_points);
  const bool validated = model.fit.holdout > 0 && model.fit.holdout < 1;
  const std::optional<Prediction> foreseen = next_samples(model, data);
  MeanSquares fitted_part(n), power(n), validation_part(n);
  for (Index r = 0; r < runs; ++r) {
    const Trajectory& run = data.runs()[static_cast<std::size_t>(r)];
    if (!responds) {
      if (r < runs_drawn) drawn.runs.push_back(without_model(run, drawn.channels, points));
      continue;
    }
    const Matrix predicted = model.propagate(model.starts.col(r), run.times(), run.inputs());
    drawn.finite = drawn.finite && predicted.allFinite();
    const Matrix residual = run.states() - predicted;
    const Index fitted = validated
                             ? std::max<Index>(fitted_samples(run.samples(), model.fit.holdout), 0)
                             : run.samples();
    // With a predictor it is the errors of the next sample that must be white.
    drawn.autocorrelation.add(
        foreseen
            ? Matrix(
                  (run.states() - foreseen->outputs[static_cast<std::size_t>(r)]).leftCols(fitted))
            : Matrix(residual.leftCols(fitted)));
    fitted_part.add(residual.leftCols(fitted));
    power.add(run.states().leftCols(fitted));
    validation_part.add(residual.rightCols(run.samples() - fitted));
    if (r >= runs_drawn) continue;
    DrawnRun one;
    one.label = run.label();
    if (fitted < run.samples()) one.validation_from = run.times()[fitted];
    one.times = envelope_times(run.times(), points);
    one.data = thinned(run.states(), drawn.channels, points);
    one.residual = thinned(residual, drawn.channels, points);
    // Between samples an input is not known to the page, and the states of a large network take gigabytes.
    if (run.samples() >= smooth || model.drive.active() || model.sparse) {
      one.curve_times = one.times;
      one.curve = thinned(predicted, drawn.channels, points);
    } else {
      one.curve_times = Vector::LinSpaced(std::min(points, 2 * smooth), run.times()[0],
                                          run.times()[run.samples() - 1]);
      one.curve = model.propagate(model.starts.col(r), one.curve_times).topRows(drawn.channels);
    }
    drawn.runs.push_back(std::move(one));
  }
  drawn.residual_power = fitted_part.values();
  drawn.power = power.values();
  drawn.validation_values = validation_part.count();
  if (drawn.validation_values > 0) drawn.validation_power = validation_part.values();
  return drawn;
}

}  // namespace lgn
