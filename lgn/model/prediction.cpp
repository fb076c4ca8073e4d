#include "lgn/model/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "lgn/core/constants_internal.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/spectral_factor.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/time_steps.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

/// The noise of a model as K and S of an innovations form, and what is known of a state before any sample.
struct Noise {
  Matrix k, s, prior;
  double step = 0;  ///< of the grid that K belongs to; 0: any times will do
};

Vector sizes_about(const Dataset& data, const Vector& rest) {
  return channel_amplitudes(data.less(rest)).unaryExpr([](double s) { return s > 0 ? s : 1.0; });
}

Matrix observation(const Model& model) {
  return model.hidden() ? model.c : Matrix::Identity(model.dimension(), model.dimension());
}

/// P = Φ P Φᵀ + Q of a stable Φ, by doubling.
Matrix stationary_covariance(Matrix phi, Matrix q) {
  constexpr int most = 60;
  for (int k = 0; k < most; ++k) {
    const Matrix more = phi * q * phi.transpose();
    q += more;
    if (!(more.norm() > 1e-15 * q.norm())) break;
    phi = (phi * phi).eval();
  }
  return q;
}

/// The step of all runs; Error where there is none.
double step_of(const Dataset& data) {
  double step = 0;
  for (const auto& run : data.runs()) {
    const auto lattice = find_lattice(run.times());
    if (!lattice || (step > 0 && std::abs(lattice->step - step) > 1e-6 * step))
      throw Error("these predictions need samples at even times",
                  "interpolate the data on a grid first");
    step = lattice->step;
  }
  return step;
}

Noise noise_of_vibration(const Model& model, const Dataset& data) {
  const double step = step_of(data);
  const Matrix phi = exponential(step * model.a), g = phi * model.ambient->g;
  // Estimated covariances need not be those of a process; more noise of the samples makes them so.
  Matrix r = model.ambient->variance;
  constexpr double growth = 1.05;
  constexpr int most = 60;
  for (int k = 0; k < most; ++k, r.diagonal() *= growth)
    if (const auto found = spectral_factor(phi, model.c, g, r))
      return {found->k, found->s,
              stationary_covariance(phi, found->k * found->s * found->k.transpose()), step};
  throw Error("the correlation functions of this model are those of no process",
              "fit it again with fewer states: " + setting("states"));
}

/// Noise of each channel by itself, no less than what counts as explained. A model that was not fitted knows none: its
/// residuals tell.
Vector channel_noise(const Model& model, const Dataset& data, const Vector& sizes) {
  Vector sigma = model.fit.channel_noise;
  if (sigma.size() != model.outputs() || !(sigma.array() >= 0).all()) {
    const FitResiduals left =
        find_residuals(model.propagator(), model.initial_states(data, {}), data);
    sigma = (left.squares.array() / left.count.array().max(1.0)).sqrt();
  }
  return sigma.cwiseMax(explained * sizes);
}

Noise noise_of(const Model& model, const Dataset& data, const Vector& sizes) {
  if (model.ambient) return noise_of_vibration(model, data);
  const Index n = model.dimension(), l = model.outputs();
  Noise noise;
  if (model.innovation.active()) {
    noise = {model.innovation.k, model.innovation.covariance, {}, model.innovation.step};
    const double step = step_of(data);
    if (std::abs(step - noise.step) > 1e-6 * step)
      throw Error(
          fmt::format("data are {:.6g} {} apart, the gain K of the model belongs to {:.6g}", step,
                      model.time_unit, noise.step),
          "predict data that are sampled so, or fit with " + setting("noise_model", "output"));
  } else {
    noise.k = Matrix::Zero(n, l);
    noise.s = channel_noise(model, data, sizes).cwiseAbs2().asDiagonal();
  }
  // Anything that is not far larger than the data.
  constexpr double wide = 30;
  Vector spread = sizes;
  if (model.hidden()) {
    double largest = 0;
    for (Index i = 0; i < n; ++i)
      if (const double seen = model.c.col(i).squaredNorm(); seen > 0)
        largest = std::max(largest, model.c.col(i).cwiseProduct(sizes).norm() / seen);
    spread = Vector::Constant(n, largest > 0 ? largest : sizes.maxCoeff());
  }
  noise.prior = (wide * spread).cwiseAbs2().asDiagonal();
  return noise;
}

/// The times that a filter goes through: which of them have a sample, and the maps between them.
struct Course {
  std::vector<Index> samples;      ///< −1: none
  std::vector<std::size_t> which;  ///< map from each to the next
  std::vector<Matrix> maps;
};

Course course_of(const Model& model, const Trajectory& run, double step) {
  Course course;
  if (step > 0) {
    const auto lattice = find_lattice(run.times());
    course.samples.assign(static_cast<std::size_t>(lattice->length()), -1);
    for (std::size_t k = 0; k < lattice->position.size(); ++k)
      course.samples[static_cast<std::size_t>(lattice->position[k])] = static_cast<Index>(k);
    course.which.assign(course.samples.size(), 0);
    course.maps = {exponential(step * model.a)};
    return course;
  }
  for (Index k = 0; k < run.samples(); ++k) course.samples.push_back(k);
  if (!model.variation) {
    const TimeSteps steps = find_steps(run.times());
    course.which = steps.which;
    for (const double length : steps.length) {
      stop_point();
      course.maps.push_back(exponential(length * model.a));
    }
    return course;
  }
  const Index n = model.dimension();
  for (Index k = 0; k + 1 < run.samples(); ++k) {
    Matrix map(n, n);
    const Vector ends = run.times().segment(k, 2);
    for (Index i = 0; i < n; ++i) {
      stop_point();
      map.col(i) = model.propagate_states(model.rest() + Vector::Unit(n, i), ends).col(1);
    }
    course.which.push_back(static_cast<std::size_t>(k));
    course.maps.push_back(std::move(map));
  }
  return course;
}

/// What becomes of states over the steps between two instants, and how much noise they gather there: both the same for every
/// instant where all maps are.
class Outlook {
 public:
  Outlook(const Course& course, const Matrix& gathered, Index steps)
      : course_(course), gathered_(gathered), steps_(steps) {
    if (course.maps.size() == 1) far_ = over(0);
  }

  struct Far {
    Matrix map, noise;
  };
  Far from(std::size_t instant) const { return far_.map.size() > 0 ? far_ : over(instant); }

 private:
  Far over(std::size_t instant) const {
    const Index n = gathered_.rows();
    Far far{Matrix::Identity(n, n), Matrix::Zero(n, n)};
    for (Index k = 0; k < steps_; ++k) {
      stop_point(4.0 * static_cast<double>(n * n * n) + 100);
      const std::size_t place = instant + static_cast<std::size_t>(k);
      const Matrix& map = course_.maps[course_.maps.size() == 1 ? 0 : course_.which[place]];
      far.map = (map * far.map).eval();
      far.noise = (map * far.noise * map.transpose() + gathered_).eval();
    }
    return far;
  }

  const Course& course_;
  Matrix gathered_;
  Index steps_;
  Far far_;
};

/// Moves the state and its covariance to the next instant, by what the sample shows beyond `seen`.
void advance(Vector& z, Matrix& p, const Matrix& phi, const Matrix& c, const Noise& noise,
             const Vector& seen) {
  std::vector<Index> present;
  for (Index i = 0; i < seen.size(); ++i)
    if (!Trajectory::missing(seen[i])) present.push_back(i);
  Matrix gain = Matrix::Zero(z.size(), seen.size());
  if (!present.empty()) {
    const Matrix shown = c(present, Eigen::all);
    const Matrix spread = shown * p * shown.transpose() + noise.s(present, present);
    const Matrix covariance = phi * p * shown.transpose() + noise.k * noise.s(Eigen::all, present);
    gain(Eigen::all, present) = solve_definite(spread, covariance.transpose()).transpose();
  }
  const Vector innovation = seen.array().isNaN().select(0.0, (seen - c * z).array());
  z = (phi * z + gain * innovation).eval();
  const Matrix closed = phi - gain * c, gathered = noise.k - gain;
  p = (closed * p * closed.transpose() + gathered * noise.s * gathered.transpose()).eval();
  p = (0.5 * (p + p.transpose())).eval();
}

}  // namespace

Vector reference_of(const Model& model, const Dataset& data) {
  return model.drive.active() || model.ambient ? channel_means(data) : model.rest();
}

Prediction predict(const Model& model, const Dataset& data, Index horizon) {
  constexpr Index most_states = 300, longest = 1'000'000;
  if (horizon < 1 || horizon > longest)
    throw Error(fmt::format("{} is a number of steps, from 1 to {}", setting("horizon"), longest));
  model.check_dense("a prediction some samples ahead");
  if (model.dimension() > most_states)
    throw Error(fmt::format("predictions of {} states are not made: {} at most", model.dimension(),
                            most_states),
                "a simulation from estimated initial states can be had");
  const Vector rest =
      model.ambient && model.offset.size() == 0 ? channel_means(data) : model.rest();
  const Vector sizes = sizes_about(data, reference_of(model, data));
  const Noise noise = noise_of(model, data, sizes);
  const Matrix c = observation(model), gathered = noise.k * noise.s * noise.k.transpose();
  const Vector at_rest = model.hidden() ? Vector::Zero(model.dimension()) : rest;
  Prediction result{horizon, {}, {}};
  for (const auto& run : data.runs()) {
    const Course course = course_of(model, run, noise.step);
    // What inputs do from rest; the filter is about the rest.
    Matrix expected = rest.replicate(1, run.samples());
    if (model.drive.active()) expected = model.propagate(at_rest, run.times(), run.inputs());
    Matrix outputs = Matrix::Constant(data.dimension(), run.samples(), nan), errors = outputs;
    const auto count = static_cast<Index>(course.samples.size());
    const Outlook outlook(course, gathered, std::min(horizon, count) - 1);
    Vector z = Vector::Zero(model.dimension());
    Matrix p = noise.prior;
    const Vector nothing = Vector::Constant(data.dimension(), nan);
    for (Index i = 0; i + 1 < count || i + horizon <= count; ++i) {
      stop_point(20.0 * static_cast<double>(p.size() * p.rows()) + 1000);
      const auto place = static_cast<std::size_t>(i);
      const Index target = i + horizon - 1;
      if (target < count && course.samples[static_cast<std::size_t>(target)] >= 0) {
        const Index sample = course.samples[static_cast<std::size_t>(target)];
        const auto far = outlook.from(place);
        outputs.col(sample) = expected.col(sample) + c * (far.map * z);
        const Matrix spread = far.map * p * far.map.transpose() + far.noise;
        errors.col(sample) =
            (c * spread * c.transpose() + noise.s).diagonal().cwiseMax(0).cwiseSqrt();
      }
      if (i + 1 >= count) break;
      const Index sample = course.samples[place];
      const Vector seen =
          sample < 0 ? nothing : Vector(run.states().col(sample) - expected.col(sample));
      advance(z, p, course.maps[course.which[place]], c, noise, seen);
    }
    constexpr double useless = 2;
    for (Index k = 0; k < errors.cols(); ++k)
      for (Index i = 0; i < errors.rows(); ++i)
        if (!(errors(i, k) <= useless * sizes[i])) outputs(i, k) = errors(i, k) = nan;
    result.outputs.push_back(std::move(outputs));
    result.errors.push_back(std::move(errors));
  }
  return result;
}

Evaluation evaluate(const Prediction& prediction, const Dataset& data, const Vector& rest) {
  std::vector<Trajectory> runs;
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    runs.emplace_back(run.label(), run.times(),
                      prediction.outputs[r].array().isNaN().select(nan, run.states()),
                      run.inputs());
  }
  std::size_t run = 0;
  // Runs are asked for in their order.
  return evaluate(
      [&](const Vector&, const Vector&, const Matrix&) -> Matrix {
        const Matrix& outputs = prediction.outputs[run++];
        return outputs.array().isNaN().select(0.0, outputs);
      },
      std::nullopt, data.with_runs(std::move(runs)),
      Matrix::Zero(1, static_cast<Index>(data.runs().size())), rest);
}

}  // namespace lgn
