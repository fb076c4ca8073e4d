#include "lgn/identify/nonlinear/successive_linearisation.h"

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/inverse_root.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/nonlinear/frozen_law.h"

namespace lgn {
namespace {

constexpr int most_rounds = 30;
/// Of a standard error: what a parameter may move in the last round.
constexpr double at_rest = 0.01;

/// The runs one after the other by the clock, so that each has its own A(t).
Dataset one_after_another(const Dataset& data) {
  std::vector<Trajectory> runs;
  double begin = 0;
  for (const auto& run : data.runs()) {
    const Vector times = run.times().array() - run.times()[0] + begin;
    begin = 2 * times[times.size() - 1] - begin + 1;
    runs.emplace_back(run.label(), times, run.states());
  }
  return data.with_runs(std::move(runs));
}

/// f of every column.
Matrix slopes_along(const NonlinearField& field, const Matrix& states) {
  Matrix result(states.rows(), states.cols());
  for (Index k = 0; k < states.cols(); ++k) result.col(k) = field.value(states.col(k));
  return result;
}

/// Whether no parameter has moved by more than a small part of its standard error.
bool stands(const LawProblem& problem, const LawProblem::Point& point,
            const std::vector<Index>& moving, const Vector& before) {
  const Matrix root = inverse_root(eliminate_starts(problem.linearise(point, moving)).matrix);
  for (std::size_t k = 0; k < moving.size(); ++k)
    if (std::abs(point.theta[moving[k]] - before[moving[k]]) >
        at_rest * root.row(static_cast<Index>(k)).norm())
      return false;
  return true;
}

}  // namespace

LawSearch linearise_successively(const Dataset& data, const NonlinearStructure& structure,
                                 const LawProblem& problem, const Vector& theta,
                                 const std::vector<Index>& moving, std::vector<Matrix>& courses,
                                 const FitOptions& options) {
  if (data.dimension() != structure.dimension())
    throw Error("successive linearisation needs every state measured",
                "use " + setting("method", "mle"));
  const Dataset apart = one_after_another(data);
  FitOptions linear;
  linear.observe = options.observe;
  LawSearch result;
  result.point.theta = theta;
  for (int round = 1; round <= most_rounds && !result.converged && !result.stopped; ++round) {
    const Vector before = result.point.theta;
    const NonlinearField field(structure, before);
    std::vector<FrozenLaw::Course> known;
    for (std::size_t r = 0; r < courses.size(); ++r)
      known.push_back({apart.runs()[r].times(), courses[r], slopes_along(field, courses[r])});
    const auto frozen = std::make_shared<FrozenLaw>(structure, before, moving, std::move(known));
    const Fit fit = maximum_likelihood(apart, frozen, {.theta = {Vector(before(moving))}}, linear);
    result.iterations = round;
    result.stopped = fit.stopped;
    for (std::size_t r = 0; r < courses.size(); ++r)
      courses[r] =
          fit.propagate(fit.initial_states.col(static_cast<Index>(r)), apart.runs()[r].times());
    result.point =
        to_the_end([&] { return problem.at(frozen->whole(fit.theta), fit.initial_states); });
    if (!std::isfinite(result.point.cost)) return result;
    result.converged = !result.stopped && stands(problem, result.point, moving, before);
  }
  return result;
}

}  // namespace lgn
