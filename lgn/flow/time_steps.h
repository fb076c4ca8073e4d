#pragma once

#include <optional>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// The steps of increasing times t_0 < t_1 < …, where steps that differ by no more than the
/// rounding of the times count as one: t_(k+1) − t_k = length[which[k]].
struct TimeSteps {
  std::vector<double> length;
  std::vector<std::size_t> which;
};
TimeSteps find_steps(const Vector& times);
/// The length of the steps where they all count as one.
std::optional<double> uniform_step(const Vector& times);

/// Times that lie on a uniform grid with possible gaps: t_k = t_0 + position[k] · step.
struct Lattice {
  double step = 0;
  std::vector<Index> position;
  Index length() const { return position.back() + 1; }
};
/// The lattice of `times` whose step is their smallest gap, if they lie on it and it has at most
/// `stretch` steps per sample.
std::optional<Lattice> find_lattice(const Vector& times, double stretch = 4.0);

}  // namespace lgn
