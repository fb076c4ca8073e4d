#include "lgn/physics/time_response.h"

#include <cmath>
#include <functional>
#include <memory>

#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/dynamics/affine.h"
#include "lgn/flow/flow.h"

namespace lgn {
namespace {

/// A motion ẋ = A x from x₀, seen through C, beside a constant: what outputs show of one input.
struct Motion {
  Matrix a;
  Vector x0;
  Matrix c;
  Vector constant;
};

/// The input as a state that keeps its value: the step response is a free motion from it.
Motion stepped(const DrivenSystem& s, Index input, double unit) {
  const Index n = s.states();
  Motion result{Matrix::Zero(n + 1, n + 1), Vector::Zero(n + 1), Matrix::Zero(s.outputs(), n + 1),
                s.d.col(input)};
  result.a.topLeftCorner(n, n) = s.a;
  result.a.topRightCorner(n, 1) = s.b.col(input);
  result.x0[n] = unit;
  result.c.leftCols(n) = s.c;
  return result;
}

/// An impulse leaves the state at b.
Motion struck(const DrivenSystem& s, Index input, double) {
  return {s.a, s.b.col(input), s.c, Vector::Zero(s.outputs())};
}

/// Outputs at all times, one row each, and their standard errors.
struct Course {
  Matrix values, errors;
};

Course course(const Motion& motion, const std::vector<Motion>& moves, const Vector& times) {
  const Index n = motion.a.rows(), samples = times.size(), l = motion.c.rows();
  Matrix directions(std::ssize(moves) * n, n), starts(n, 1 + std::ssize(moves));
  starts.col(0) = motion.x0;
  for (std::size_t r = 0; r < moves.size(); ++r) {
    directions.middleRows(static_cast<Index>(r) * n, n) = moves[r].a;
    starts.col(static_cast<Index>(r) + 1) = moves[r].x0;
  }
  const AffineStructure structure(motion.a, std::move(directions));
  const Vector origin = Vector::Zero(structure.parameters());
  const auto plan = plan_flow(structure, times, origin);
  const auto flow = plan->at(origin);
  const Matrix all = flow->states(starts);
  const auto states = [&](Index column) -> Matrix { return all.col(column).reshaped(n, samples); };
  const Matrix x = states(0);
  Course result{(motion.c * x).colwise() + motion.constant, {}};
  if (moves.empty()) return result;
  const Matrix jacobian = flow->jacobian(motion.x0);
  result.errors = Matrix::Zero(l, samples);
  for (std::size_t r = 0; r < moves.size(); ++r) {
    stop_point(static_cast<double>(all.rows() * l));
    const Vector row = jacobian.row(static_cast<Index>(r)).transpose();
    const Matrix moved = row.reshaped(samples, n).transpose() + states(static_cast<Index>(r) + 1);
    result.errors +=
        ((motion.c * moved + moves[r].c * x).colwise() + moves[r].constant).cwiseAbs2();
  }
  result.errors = result.errors.cwiseSqrt().eval();
  return result;
}

using MotionOf = Motion (*)(const DrivenSystem&, Index input, double unit);

std::vector<TimeResponse> responses(const DrivenSystem& system, const SystemErrors& errors,
                                    const Vector& times, MotionOf motion_of) {
  if (times.size() == 0 || !times.allFinite() || !(times[0] >= 0) ||
      (times.tail(times.size() - 1).array() <= times.head(times.size() - 1).array()).any())
    throw Error("the times of a response must increase, from zero or later");
  // Nothing happens until the delay has passed, where the clock of the motion begins.
  const Index acting = (times.array() >= system.delay).count();
  const bool at_once = acting > 0 && times[times.size() - acting] == system.delay;
  Vector clock(acting + (at_once ? 0 : 1));
  clock[0] = 0;
  clock.tail(acting) = times.tail(acting).array() - system.delay;
  std::vector<TimeResponse> result;
  for (Index j = 0; j < system.inputs(); ++j) {
    std::vector<Motion> moves;
    for (Index r = 0; errors.known() && r < errors.root.cols(); ++r)
      moves.push_back(motion_of(errors.move(r, system), j, 0));
    const Course found = course(motion_of(system, j, 1), moves, clock);
    const auto placed = [&](const Matrix& rows, Index i) {
      Vector all = Vector::Zero(times.size());
      all.tail(acting) = rows.row(i).tail(acting).transpose();
      return all;
    };
    for (Index i = 0; i < system.outputs(); ++i)
      result.push_back(
          {times, placed(found.values, i), moves.empty() ? Vector() : placed(found.errors, i)});
  }
  return result;
}

}  // namespace

std::vector<TimeResponse> step_responses(const DrivenSystem& system, const SystemErrors& errors,
                                         const Vector& times) {
  return responses(system, errors, times, stepped);
}

std::vector<TimeResponse> impulse_responses(const DrivenSystem& system, const SystemErrors& errors,
                                            const Vector& times) {
  return responses(system, errors, times, struck);
}

}  // namespace lgn
