#include <cmath>
#include <utility>

#include "lgn/design/quantities.h"

namespace lgn {

void Quantities::find_curvatures() {
  // Second derivatives of A by differences of its exact slopes: they only steer a search, and 1e-5 of them is enough.
  constexpr double step = 1e-5;
  curved_ = true;
  bends_.clear();
  // The sharper poles move the nearer they are to meeting; where two do, nothing is said of any.
  const ComplexVector& poles = system_.values;
  const double near = 1e-6 * poles.cwiseAbs().maxCoeff();
  poles_apart_ = true;
  for (Index k = 0; k < poles.size(); ++k)
    for (Index m = k + 1; m < poles.size(); ++m)
      poles_apart_ = poles_apart_ && std::abs(poles[k] - poles[m]) > near;
  if (!poles_apart_) return;
  const Index count = std::ssize(free_);
  Matrix there = Matrix::Zero(a_.rows(), a_.cols());
  for (Index i = 0; i < count; ++i) {
    Vector moved = p_;
    moved[free_[static_cast<std::size_t>(i)]] *= std::exp(step);
    for (Index j = i; j < count; ++j) {
      const Index value = free_[static_cast<std::size_t>(j)];
      Bend bend{i, j, {}};
      const auto after = named_.slope(moved, value);
      for (const auto& [row, col, slope] : after) there(row, col) += slope * moved[value];
      for (const auto& [row, col, slope] : slopes_[static_cast<std::size_t>(j)])
        there(row, col) -= slope;
      // A place may come up several times: what it adds up to is taken once, and left empty.
      for (const std::vector<NamedSystem::Entry>* list :
           {&after, std::as_const(slopes_).data() + j})
        for (const auto& [row, col, slope] : *list)
          if (const double change = std::exchange(there(row, col), 0.0); change != 0)
            bend.entries.push_back({row, col, change / step});
      if (!bend.entries.empty()) bends_.push_back(std::move(bend));
    }
  }
}

ComplexMatrix Quantities::curvature_of_pole(Index k) const {
  const Index n = system_.values.size(), count = std::ssize(free_);
  const ComplexVector own = system_.left.col(k).conjugate(), shape = system_.right.col(k);
  ComplexMatrix from = ComplexMatrix::Zero(count, n), to = ComplexMatrix::Zero(n, count);
  for (Index f = 0; f < count; ++f)
    for (const auto& [row, col, value] : slopes_[static_cast<std::size_t>(f)]) {
      from.row(f) += own[row] * value * system_.right.row(col);
      to.col(f) += value * shape[col] * system_.left.row(row).adjoint();
    }
  for (Index m = 0; m < n; ++m)
    to.row(m) *= m == k ? Complex(0) : 1.0 / (system_.values[k] - system_.values[m]);
  const ComplexMatrix half = from * to;
  ComplexMatrix result = half + half.transpose();
  for (const Bend& bend : bends_)
    for (const auto& [row, col, value] : bend.entries) {
      const Complex part = own[row] * value * shape[col];
      result(bend.i, bend.j) += part;
      if (bend.i != bend.j) result(bend.j, bend.i) += part;
    }
  return result;
}

}  // namespace lgn
