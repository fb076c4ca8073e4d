#include "lgn/physics/bootstrap.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <memory>
#include <thread>

#include "lgn/core/gauss_newton.h"
#include "lgn/core/random.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/nonlinear/law_problem.h"
#include "lgn/identify/nonlinear/law_regression.h"
#include "lgn/identify/nonlinear/smoothing.h"
#include "lgn/physics/assignment.h"

namespace lgn {
namespace {

/// What all fits of a linear structure share.
struct Repeated {
  const Problem& problem;
  const Vector& theta;
  const Vector& noise;
  std::vector<Matrix> clean;  ///< the model's trajectories
  std::shared_ptr<const Matrix> hessian;

  Vector fit(std::uint64_t seed) const {
    Random random(seed);
    std::vector<Matrix> samples;
    for (const Matrix& states : clean)
      samples.push_back(states + noise.asDiagonal() * random.normals(states.rows(), states.cols()));
    Problem artificial = problem;
    artificial.replace_samples(samples);
    std::shared_ptr<const Problem::Profile> profile;
    const auto profile_at = [&](const Vector& x) {
      if (!profile || profile->theta != x) profile = artificial.profile(x);
      return profile;
    };
    SumOfSquares squares;
    squares.lower = problem.structure().lower_bounds();
    squares.freedom = std::max(1.0, problem.degrees_of_freedom());
    squares.cost = [&](const Vector& x) { return profile_at(x)->cost; };
    squares.model = [&](const Vector& x) {
      return std::make_unique<DenseModel>(hessian, artificial.gradient(profile_at(x)));
    };
    // Far within the spread that is measured.
    const GaussNewtonResult found =
        minimize_gauss_newton(squares, {.x = theta, .damping = 1e-9, .iterations = 0},
                              {.max_iterations = 30, .tolerance = 0.01});
    if (found.ending == GaussNewtonResult::Ending::stopped) throw Stopped();
    return found.state.x;
  }
};

/// Column b is what `fit` finds with the seed of b, rows each: on several threads, until one is stopped.
Matrix repeated_fits(Index rows, const BootstrapOptions& options,
                     const std::function<Vector(std::uint64_t seed)>& fit) {
  Matrix samples(rows, options.repeats);
  std::vector<char> made(static_cast<std::size_t>(options.repeats));
  const Index threads = std::clamp<Index>(options.threads, 1, std::max<Index>(1, options.repeats));
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(threads));
  std::atomic<bool> stop = false;
  const SharedStop shared;
  const auto work = [&](Index thread) {
    const SharedStop::Use use(shared);
    try {
      for (Index b = thread; b < options.repeats && !stop; b += threads) {
        samples.col(b) =
            fit(options.seed + 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(b + 1));
        made[static_cast<std::size_t>(b)] = 1;
        // Observers need not know about threads.
        if (thread == 0 && options.observe &&
            !options.observe({"bootstrap", static_cast<int>(b), static_cast<int>(options.repeats),
                              std::numeric_limits<double>::quiet_NaN()}))
          stop = true;
      }
    } catch (const Stopped&) {
      stop = true;
    } catch (...) {
      failures[static_cast<std::size_t>(thread)] = std::current_exception();
      stop = true;
    }
  };
  {
    std::vector<std::jthread> others;
    for (Index t = 1; t < threads; ++t) others.emplace_back(work, t);
    work(0);
  }
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
  Index kept = 0;
  for (Index b = 0; b < options.repeats; ++b)
    if (made[static_cast<std::size_t>(b)] != 0) samples.col(kept++) = samples.col(b).eval();
  samples.conservativeResize(Eigen::NoChange, kept);
  return samples;
}

/// Artificial samples of a law where there are samples.
struct RepeatedLaw {
  const LawFit& fit;
  const Dataset& windows;
  InputTiming timing;
  Matrix starts;
  Vector scales, lower;
  std::vector<Index> moving;
  double step;  ///< of the flow
  std::vector<Matrix> clean;

  LawProblem problem(const Dataset& samples) const {
    return {samples, *fit.structure, fit.noise, scales, step, timing};
  }

  Vector operator()(std::uint64_t seed) const {
    Random random(seed);
    std::vector<Trajectory> runs;
    for (std::size_t r = 0; r < clean.size(); ++r) {
      const auto& run = windows.runs()[r];
      const Matrix noisy =
          clean[r] + fit.noise.asDiagonal() * random.normals(clean[r].rows(), clean[r].cols());
      runs.emplace_back(run.label(), run.times(),
                        run.states().array().isNaN().select(run.states(), noisy), run.inputs());
    }
    const Dataset samples = windows.with_runs(std::move(runs));
    const Vector offset = Vector::Zero(fit.offset.size());
    const LawSearch found = search_law(problem(samples), fit.theta, starts, moving, lower,
                                       {.max_iterations = 30, .tolerance = 0.01}, offset);
    if (found.stopped) throw Stopped();
    Vector result(fit.theta.size() + offset.size());
    result << found.point.theta, found.point.offset;
    return result;
  }
};

}  // namespace

Matrix bootstrap(const Fit& fit, const Dataset& data, const Vector& noise,
                 const BootstrapOptions& options) {
  const Problem problem(data, *fit.structure, noise,
                        problem_options(fit, options.estimate_initial_states));
  Repeated repeated{problem, fit.theta, noise, {}, {}};
  for (std::size_t r = 0; r < data.runs().size(); ++r)
    repeated.clean.push_back(fit.propagate(fit.initial_states.col(static_cast<Index>(r)),
                                           data.runs()[r].times(), data.runs()[r].inputs()));
  repeated.hessian =
      std::make_shared<const Matrix>(problem.linearise(*problem.profile(fit.theta)).information);
  return repeated_fits(fit.theta.size(), options,
                       [&](std::uint64_t seed) { return repeated.fit(seed); });
}

Matrix bootstrap(const LawFit& fit, const Dataset& data, const InputTiming& timing,
                 const BootstrapOptions& options) {
  const NonlinearStructure& structure = *fit.structure;
  const Dataset windows = cut_windows(data, fit.window);
  RepeatedLaw repeated{fit,
                       windows,
                       timing,
                       fit.initial_states,
                       scale_guesses(structure, channel_amplitudes(data)),
                       structure.lower_bounds(),
                       {},
                       0,
                       {}};
  if (static_cast<Index>(windows.runs().size()) != fit.initial_states.cols())
    repeated.starts = fitted_starts(structure, fit.theta, windows, fit.noise, timing);
  for (Index k = 0; k < fit.theta.size(); ++k) {
    if (structure.parameter_list()[static_cast<std::size_t>(k)].scale)
      repeated.lower[k] = 1e-6 * repeated.scales[k];
    // Scales of the energy that are a matter of choice have no variance.
    if (fit.covariance(k, k) > 0) repeated.moving.push_back(k);
  }
  const NonlinearField field(structure, fit.theta);
  repeated.step =
      longest_step(field, all_states(smooth(data, structure.dimension() > data.dimension()).data));
  const auto paths = repeated.problem(windows).at(fit.theta, repeated.starts).paths;
  for (const auto& path : paths) repeated.clean.emplace_back(path.states.topRows(data.dimension()));
  return repeated_fits(fit.theta.size() + fit.offset.size(), options, repeated);
}

ComplexMatrix matched_poles(const std::function<Matrix(const Vector&)>& generator,
                            const Vector& theta, const Matrix& samples) {
  const ComplexVector poles = eigenvalues(generator(theta));
  ComplexMatrix result(poles.size(), samples.cols());
  for (Index b = 0; b < samples.cols(); ++b) {
    const ComplexVector values = eigenvalues(generator(samples.col(b)));
    const EigenvalueMatch match = match_eigenvalues(poles, values);
    for (Index k = 0; k < poles.size(); ++k)
      result(k, b) = values[match.partner[static_cast<std::size_t>(k)]];
  }
  return result;
}

PoleCovariances covariances_of(const ComplexMatrix& poles) {
  PoleCovariances result;
  const double count = std::max(1.0, static_cast<double>(poles.cols() - 1));
  for (Index k = 0; k < poles.rows(); ++k) {
    Matrix parts(2, poles.cols());
    parts << poles.row(k).real(), poles.row(k).imag();
    parts.colwise() -= parts.rowwise().mean().eval();
    result.push_back(parts * parts.transpose() / count);
  }
  return result;
}

}  // namespace lgn
