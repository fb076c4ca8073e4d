#include "lgn/physics/bootstrap.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <memory>
#include <thread>

#include "lgn/core/gauss_newton.h"
#include "lgn/core/random.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/likelihood/likelihood.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/physics/assignment.h"

namespace lgn {
namespace {

/// What all fits share.
struct Repeated {
  const Structure& structure;
  const Vector& theta;
  const Matrix& starts;
  const Dataset& data;
  const Vector& noise;
  bool estimate_starts;
  std::vector<Matrix> clean;  ///< the model's trajectories, NaN where the data have a gap
  std::shared_ptr<const Matrix> hessian;
  ComplexVector poles;

  Dataset artificial(std::uint64_t seed) const {
    Random random(seed);
    std::vector<Trajectory> runs;
    for (std::size_t r = 0; r < clean.size(); ++r) {
      const auto& run = data.runs()[r];
      runs.emplace_back(
          run.label(), run.times(),
          clean[r] + noise.asDiagonal() * random.normals(data.dimension(), run.samples()));
    }
    return Dataset(data.channels(), std::move(runs));
  }

  Likelihood likelihood(const Dataset& samples) const {
    return Likelihood(samples, noise, estimate_starts ? std::nullopt : std::optional(starts));
  }

  /// The poles of one fit, in the order of the model's.
  ComplexVector fit(std::uint64_t seed) const {
    const Dataset samples = artificial(seed);
    const Likelihood target = likelihood(samples);
    Likelihood::Profile profile;
    SumOfSquares problem;
    problem.lower = structure.lower_bounds();
    problem.freedom = static_cast<double>(
        std::max<Index>(1, target.values() - theta.size() - target.start_unknowns()));
    problem.cost = [&](const Vector& x) {
      profile = target.profile(structure.generator(x));
      return profile.cost;
    };
    problem.model = [&](const Vector& x) {
      const Matrix a = structure.generator(x);
      const Likelihood::Curvature curvature(target, a, target.profile(a));
      return std::make_unique<DenseModel>(hessian, structure.pullback(x, curvature.gradient()));
    };
    // Far within the spread that is measured.
    const auto found =
        minimize_gauss_newton(problem, {.x = theta, .damping = 1e-9, .iterations = 0},
                              {.max_iterations = 30, .tolerance = 0.01});
    const ComplexVector values = eigenvalues(structure.generator(found.state.x));
    const EigenvalueMatch match = match_eigenvalues(poles, values);
    ComplexVector sorted(values.size());
    for (Index k = 0; k < sorted.size(); ++k)
      sorted[k] = values[match.partner[static_cast<std::size_t>(k)]];
    return sorted;
  }
};

}  // namespace

ComplexMatrix bootstrap_poles(const Structure& structure, const Vector& theta, const Matrix& starts,
                              const Dataset& data, const Vector& noise,
                              const BootstrapOptions& options) {
  const Matrix a = structure.generator(theta);
  Repeated repeated{structure, theta, starts, data, noise, options.estimate_starts, {}, {}, {}};
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    const auto missing = run.states().array().isNaN();
    repeated.clean.push_back(
        missing.select(std::numeric_limits<double>::quiet_NaN(),
                       propagate(a, starts.col(static_cast<Index>(r)), run.times())));
  }
  repeated.poles = eigenvalues(a);
  const Dataset first = repeated.artificial(options.seed);
  const Likelihood likelihood = repeated.likelihood(first);
  repeated.hessian = std::make_shared<const Matrix>(
      likelihood.normal(a, parameter_directions(structure, theta), likelihood.profile(a))
          .information);

  ComplexMatrix poles(a.rows(), options.repeats);
  std::vector<char> made(static_cast<std::size_t>(options.repeats));
  const Index threads = std::clamp<Index>(options.threads, 1, std::max<Index>(1, options.repeats));
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(threads));
  std::atomic<bool> stop = false;
  const auto work = [&](Index thread) {
    try {
      for (Index b = thread; b < options.repeats && !stop; b += threads) {
        poles.col(b) =
            repeated.fit(options.seed + 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(b + 1));
        made[static_cast<std::size_t>(b)] = 1;
        // Observers need not know about threads.
        if (thread == 0 && options.observe &&
            !options.observe({"bootstrap", static_cast<int>(b), static_cast<int>(options.repeats),
                              std::numeric_limits<double>::quiet_NaN()}))
          stop = true;
      }
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
    if (made[static_cast<std::size_t>(b)] != 0) poles.col(kept++) = poles.col(b).eval();
  poles.conservativeResize(Eigen::NoChange, kept);
  return poles;
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
