#include "lgn/identify/likelihood/stable_fit.h"

#include "lgn/core/stop.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"

namespace lgn {
namespace {

/// Gradients of Re λ_k in the entries of A, column by column, for poles across the axis.
Matrix crossing_gradients(const Eigensystem& system, const std::vector<Index>& crossing) {
  const Index n = system.values.size();
  Matrix gradients(n * n, static_cast<Index>(crossing.size()));
  for (std::size_t j = 0; j < crossing.size(); ++j) {
    const Index k = crossing[j];
    const Matrix change = (system.left.col(k).conjugate() * system.right.col(k).transpose()).real();
    gradients.col(static_cast<Index>(j)) = change.reshaped();
  }
  return gradients;
}

}  // namespace

std::optional<Matrix> stable_generator(const Dataset& data, const Matrix& a, const Vector& noise,
                                       const ProblemOptions& known) {
  constexpr int most_steps = 8;
  const FullStructure full(a.rows());
  Matrix information = information_matrix(data, full, full.project(a), noise, known);
  information.diagonal() *= 1 + 1e-12;
  const Eigen::LDLT<Matrix> inverse(information);
  const double rounding = 1e-14 * norm1(a);
  Matrix found = a;
  std::vector<Index> crossing;
  for (int step = 0; step < most_steps; ++step) {
    stop_point();
    const Eigensystem system = eigensystem(found);
    if (!system.left.allFinite()) return {};
    // One of each pair; a pole that was across once stays on the axis.
    crossing.clear();
    for (Index k = 0; k < a.rows(); ++k)
      if (system.values[k].imag() <= 0 && system.values[k].real() > -rounding)
        crossing.push_back(k);
    double worst = -rounding;
    Vector target(static_cast<Index>(crossing.size()));
    for (std::size_t j = 0; j < crossing.size(); ++j) {
      worst = std::max(worst, system.values[crossing[j]].real());
      target[static_cast<Index>(j)] = -system.values[crossing[j]].real() - 0.5 * rounding;
    }
    if (worst <= 0) return found;
    const Matrix gradients = crossing_gradients(system, crossing);
    const Matrix moved = inverse.solve(gradients);
    const Vector change = moved * (gradients.transpose() * moved).ldlt().solve(target);
    if (!change.allFinite()) return {};
    found += change.reshaped(a.rows(), a.cols());
  }
  return {};
}

}  // namespace lgn
