#include "lgn/dynamics/state_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"

namespace lgn {
namespace {

double product(const Factors& factors, const FactorValues& z) {
  double result = 1;
  for (const int code : factors) result *= z[code];
  return result;
}

}  // namespace

FactorValues factor_values(const Eigen::Ref<const Vector>& x, const std::vector<Index>& angles) {
  const Index n = x.size();
  FactorValues z(angles.empty() ? n : 3 * n);
  z.head(n) = x;
  for (const Index i : angles) {
    z[sine_of(i, n)] = std::sin(x[i]);
    z[cosine_of(i, n)] = std::cos(x[i]);
  }
  return z;
}

std::vector<FactorSlope> slopes_of(const Factors& factors, Index n) {
  std::vector<FactorSlope> result;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const int code = factors[k];
    if ((k > 0 && factors[k - 1] == code) || is_input(code, n)) continue;
    auto power = static_cast<double>(std::count(factors.begin(), factors.end(), code));
    Factors rest = factors;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    Index state = code;
    if (code >= n) {
      state = (code - n) / 2;
      const bool cosine = (code - n) % 2 == 1;
      rest.push_back(cosine ? sine_of(state, n) : cosine_of(state, n));
      std::sort(rest.begin(), rest.end());
      if (cosine) power = -power;
    }
    result.push_back({state, power, std::move(rest)});
  }
  return result;
}

std::vector<Factors> products_of(const std::vector<Index>& states, Index degree) {
  std::vector<Factors> result{{}};
  for (Index d = 0; d < degree; ++d) {
    std::vector<Factors> longer;
    for (const Factors& shorter : result)
      for (const Index state : states)
        if (shorter.empty() || state >= shorter.back()) {
          longer.push_back(shorter);
          longer.back().push_back(static_cast<int>(state));
        }
    result = std::move(longer);
  }
  return result;
}

Factors times(const Factors& a, const Factors& b) {
  Factors result = a;
  result.insert(result.end(), b.begin(), b.end());
  std::sort(result.begin(), result.end());
  return result;
}

std::string text_of(const Factors& factors, const std::vector<std::string>& states,
                    const std::vector<std::string>& inputs) {
  if (factors.empty()) return "1";
  const auto n = static_cast<Index>(states.size());
  std::string text;
  for (std::size_t k = 0; k < factors.size();) {
    const int code = factors[k];
    std::size_t end = k;
    while (end < factors.size() && factors[end] == code) ++end;
    std::string one;
    if (is_input(code, n)) {
      one = inputs[static_cast<std::size_t>(code - input_of(0, n))];
    } else {
      one = states[static_cast<std::size_t>(code < n ? code : (code - n) / 2)];
      if (code >= n) one = fmt::format("{}({})", (code - n) % 2 == 0 ? "sin" : "cos", one);
    }
    if (end - k > 1) one += fmt::format("^{}", end - k);
    text += (text.empty() ? "" : " ") + one;
    k = end;
  }
  return text;
}

StateFunctions::StateFunctions(Index dimension, std::vector<Factors> functions)
    : n_(dimension), functions_(std::move(functions)) {
  if (n_ > most_nonlinear_states)
    throw Error(fmt::format("a nonlinear law of {} states", n_),
                fmt::format("choose at most {} channels", most_nonlinear_states));
  std::sort(functions_.begin(), functions_.end(), [](const Factors& a, const Factors& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  functions_.erase(std::unique(functions_.begin(), functions_.end()), functions_.end());
  for (const Factors& function : functions_)
    for (const int code : function) {
      if (is_input(code, n_))
        inputs_ = std::max<Index>(inputs_, code - input_of(0, n_) + 1);
      else if (code >= n_)
        angles_.push_back((code - n_) / 2);
    }
  if (inputs_ > most_nonlinear_inputs)
    throw Error(fmt::format("a nonlinear law with {} inputs", inputs_),
                fmt::format("choose at most {}", most_nonlinear_inputs));
  std::sort(angles_.begin(), angles_.end());
  angles_.erase(std::unique(angles_.begin(), angles_.end()), angles_.end());
}

Index StateFunctions::find(const Factors& factors) const {
  const auto found = std::find(functions_.begin(), functions_.end(), factors);
  return found == functions_.end() ? -1 : found - functions_.begin();
}

FactorValues StateFunctions::factors_at(const Eigen::Ref<const Vector>& x,
                                        const Eigen::Ref<const Vector>& u) const {
  FactorValues z = factor_values(x, angles_);
  if (inputs_ == 0) return z;
  z.conservativeResize(3 * n_ + inputs_);
  if (u.size() > 0)
    z.tail(inputs_) = u;
  else
    z.tail(inputs_).setZero();
  return z;
}

Vector StateFunctions::values(const Eigen::Ref<const Vector>& x) const {
  const FactorValues z = factors_at(x);
  Vector result(size());
  for (Index k = 0; k < size(); ++k)
    result[k] = product(functions_[static_cast<std::size_t>(k)], z);
  return result;
}

Matrix StateFunctions::values_of(const Matrix& states) const {
  Matrix result(size(), states.cols());
  for (Index k = 0; k < states.cols(); ++k) result.col(k) = values(states.col(k));
  return result;
}

}  // namespace lgn
