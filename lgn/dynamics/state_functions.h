#pragma once

#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// A product of states and of their sines and cosines, as ascending codes of its factors: i for x_i, n + 2i for sin x_i,
/// n + 2i + 1 for cos x_i, i = 0 … n − 1. Repeated codes are powers; none at all is the constant 1. An input u_j stands alone, as 3n + j.
using Factors = std::vector<int>;

/// The codes of sin x_i and cos x_i among n states.
inline int sine_of(Index state, Index n) { return static_cast<int>(n + 2 * state); }
inline int cosine_of(Index state, Index n) { return sine_of(state, n) + 1; }
/// The code of u_j, and whether a code is that of an input.
inline int input_of(Index input, Index n) { return static_cast<int>(3 * n + input); }
inline bool is_input(int code, Index n) { return code >= 3 * n; }

/// x_1 … x_n, where `angles` has them their sines and cosines, and inputs, each at its code. No memory is taken from the heap.
using FactorValues = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3 * 64 + 16, 1>;
/// States and inputs that a law may have: FactorValues has room for so many.
inline constexpr Index most_nonlinear_states = 64, most_nonlinear_inputs = 16;
FactorValues factor_values(const Eigen::Ref<const Vector>& x, const std::vector<Index>& angles);

/// ∂/∂x of a product: coefficient · factors for each state that it depends on; of an input nothing.
struct FactorSlope {
  Index state;
  double coefficient;
  Factors factors;
};
std::vector<FactorSlope> slopes_of(const Factors& factors, Index n);

/// All products of `degree` of these states, codes ascending.
std::vector<Factors> products_of(const std::vector<Index>& states, Index degree);
/// The product of two.
Factors times(const Factors& a, const Factors& b);

/// "x1^2 x3", "sin(theta)", "1", "u", with these names of the states and inputs.
std::string text_of(const Factors& factors, const std::vector<std::string>& states,
                    const std::vector<std::string>& inputs = {});

/// The functions m(x, u) of which a law ẋ = C m(x, u) is composed; no two are the same.
class StateFunctions {
 public:
  /// Throws Error for more than most_nonlinear_states states, or most_nonlinear_inputs inputs.
  StateFunctions(Index dimension, std::vector<Factors> functions);

  Index dimension() const { return n_; }
  Index inputs() const { return inputs_; }
  Index size() const { return static_cast<Index>(functions_.size()); }
  const std::vector<Factors>& functions() const { return functions_; }
  /// States whose sines and cosines are needed.
  const std::vector<Index>& angles() const { return angles_; }
  /// The place of a function; −1 where it is not among them.
  Index find(const Factors& factors) const;
  /// x, u and what is made of them, each at its code; without u inputs are zero.
  FactorValues factors_at(const Eigen::Ref<const Vector>& x,
                          const Eigen::Ref<const Vector>& u = Vector()) const;
  /// m(x, 0).
  Vector values(const Eigen::Ref<const Vector>& x) const;
  /// m of every column, inputs zero.
  Matrix values_of(const Matrix& states) const;

 private:
  Index n_, inputs_ = 0;
  std::vector<Factors> functions_;
  std::vector<Index> angles_;
};

}  // namespace lgn
