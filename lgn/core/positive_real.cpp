#include "lgn/core/positive_real.h"

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/lyapunov.h"
#include "lgn/core/stop.h"

namespace lgn {

double least_real_part(const SquareSystem& system, double frequency) {
  const Index n = system.a.rows(), m = system.b.cols();
  ComplexMatrix shifted = -system.a.cast<Complex>();
  shifted.diagonal().array() += Complex(0, frequency);
  const ComplexMatrix h =
      system.c.cast<Complex>() * (complex_inverse(shifted).value * system.b.cast<Complex>()) +
      system.d.cast<Complex>();
  stop_point(100.0 * static_cast<double>(n * n * n));
  // The eigenvalues of a Hermitian X + iY are those of [[X, −Y], [Y, X]], twice.
  const ComplexMatrix hermitian = 0.5 * (h + h.adjoint());
  Matrix real(2 * m, 2 * m);
  real << hermitian.real(), -hermitian.imag(), hermitian.imag(), hermitian.real();
  return symmetric_eigenvalues(real).minCoeff();
}

std::optional<Matrix> least_storage(const SquareSystem& system) {
  const auto& [a, b, c, d] = system;
  const Index n = a.rows();
  const Matrix root = cholesky(d + d.transpose());
  if (!root.allFinite()) return {};
  // With V = root⁻¹ (D + Dᵀ)⁻¹ = VᵀV.
  const Matrix input = solve_lower(root, b.transpose()), output = solve_lower(root, c);
  const Matrix quadratic = input.transpose() * input, constant = output.transpose() * output;
  const Matrix zeros = a - input.transpose() * output;
  constexpr int most_steps = 80;
  constexpr double settled = 1e-12, nearly = 1e-7;
  Matrix q = Matrix::Zero(n, n);
  double change = 1;
  for (int step = 0; step < most_steps && change > settled; ++step) {
    stop_point(100.0 * static_cast<double>(n * n * n));
    const Matrix closed = zeros + quadratic * q;
    if (!closed.allFinite() || !(eigenvalues(closed).real().maxCoeff() < 0)) break;
    try {
      // Newton's method does not correct a skew part that rounding brings in.
      Matrix next = solve_lyapunov(closed, constant - q * quadratic * q);
      next = (0.5 * (next + next.transpose())).eval();
      change = (next - q).norm() / next.norm();
      q = next;
    } catch (const Error&) {
      break;
    }
  }
  if (!(change < nearly) || !q.allFinite()) return {};
  return q;
}

}  // namespace lgn
