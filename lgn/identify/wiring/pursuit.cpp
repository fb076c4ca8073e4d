#include "lgn/identify/wiring/pursuit.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/constants_internal.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

/// Independent windows for each chosen state.
constexpr double windows_per_choice = 3;
/// Part of a derivative that may be left: weaker elements, which errors of integration in simulated
/// data resemble, are for the likelihood to find.
constexpr double left_over = 1e-2;
/// Choices that may each not be worth their price.
constexpr std::size_t patience = 3;

double criterion_of(const RowSums& sums, const std::vector<Index>& chosen,
                    const Vector& coefficients, double windows, double price) {
  return windows * std::log(sums.unexplained(chosen, coefficients)) +
         price * static_cast<double>(chosen.size());
}

}  // namespace

Vector RowSums::solve(const std::vector<Index>& chosen) const {
  const auto count = static_cast<Index>(chosen.size());
  Matrix own(count, count);
  Vector right(count);
  for (Index i = 0; i < count; ++i) {
    right[i] = products[chosen[at(i)]];
    for (Index j = 0; j < count; ++j) own(i, j) = gram(chosen[at(i)], chosen[at(j)]);
  }
  return solve_semidefinite(own, right);
}

Vector RowSums::left(const std::vector<Index>& chosen, const Vector& coefficients) const {
  Vector result = products;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    result -= coefficients[static_cast<Index>(i)] * gram.col(chosen[i]);
  return result;
}

Vector RowSums::apart(const std::vector<Index>& chosen) const {
  constexpr double least = 1e-6;
  Vector result = gram.diagonal();
  if (chosen.empty()) return result;
  const auto count = static_cast<Index>(chosen.size());
  Matrix rows(count, states()), own(count, count);
  for (Index i = 0; i < count; ++i) rows.row(i) = gram.row(chosen[at(i)]);
  for (Index i = 0; i < count; ++i) own.col(i) = rows.col(chosen[at(i)]);
  own.diagonal().array() += least * least;
  const Matrix half = solve_lower(cholesky(own), rows);
  result -= half.colwise().squaredNorm().transpose();
  return result.cwiseMax(least);
}

double RowSums::unexplained(const std::vector<Index>& chosen, const Vector& coefficients) const {
  double rest = 1;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    rest -= coefficients[static_cast<Index>(i)] * products[chosen[i]];
  return std::max(rest, left_over * left_over);
}

double price_of_choice(double windows, Index states) {
  return std::log(windows) + 2 * std::log(static_cast<double>(std::max<Index>(2, states)));
}

std::vector<Index> choose(const RowSums& sums, const Choice& choice, double windows, double price) {
  const auto most = static_cast<std::size_t>(
      std::max(1.0, std::min(static_cast<double>(sums.states()), windows / windows_per_choice)));
  std::vector<Index> chosen = choice.forced, best = chosen;
  Vector coefficients = sums.solve(chosen);
  double least = criterion_of(sums, chosen, coefficients, windows, price);
  while (chosen.size() < most && chosen.size() < best.size() + patience) {
    stop_point(std::pow(static_cast<double>(chosen.size()), 3) +
               static_cast<double>(sums.states() * static_cast<Index>(chosen.size())) + 2000);
    Vector left = sums.left(chosen, coefficients).cwiseAbs();
    if (choice.by_rest) left.array() *= sums.apart(chosen).array().rsqrt();
    for (Index s = 0; s < left.size(); ++s)
      if (!choice.allowed[at(s)]) left[s] = -1;
    for (const Index s : chosen) left[s] = -1;
    Index next = 0;
    if (!(left.maxCoeff(&next) > 0)) break;
    chosen.push_back(next);
    coefficients = sums.solve(chosen);
    const double value = criterion_of(sums, chosen, coefficients, windows, price);
    if (!(value < least)) continue;
    least = value;
    best = chosen;
  }
  return best;
}

std::vector<Index> without_idle(const RowSums& sums, std::vector<Index> chosen,
                                const std::vector<Index>& forced, double windows, double price) {
  constexpr double rounding = 1e-12;
  const auto count = static_cast<Index>(chosen.size());
  if (count == 0) return chosen;
  Matrix gram(count, count);
  Vector products(count);
  for (Index i = 0; i < count; ++i) {
    products[i] = sums.products[chosen[at(i)]];
    for (Index j = 0; j < count; ++j) gram(i, j) = sums.gram(chosen[at(i)], chosen[at(j)]);
  }
  gram.diagonal().array() += rounding;
  // Without state k the inverse loses what goes through k, and the rest grows by b_k²/(G⁻¹)_kk.
  Matrix inverse = solve_definite(gram, Matrix::Identity(count, count));
  Vector b = inverse * products;
  double rest = 1 - b.dot(products);
  std::vector<char> there(at(count), 1), free(at(count), 1);
  for (Index k = 0; k < count; ++k)
    free[at(k)] = std::find(forced.begin(), forced.end(), chosen[at(k)]) == forced.end();
  const auto floored = [](double part) { return std::max(part, left_over * left_over); };
  for (Index left = count; left > 1; --left) {
    Index idlest = -1;
    double least = infinity;
    for (Index k = 0; k < count; ++k) {
      if (there[at(k)] == 0 || free[at(k)] == 0 || !(inverse(k, k) > 0)) continue;
      const double more = b[k] * b[k] / inverse(k, k);
      if (more < least) {
        least = more;
        idlest = k;
      }
    }
    if (idlest < 0 || windows * std::log(floored(rest + least) / floored(rest)) >= price) break;
    const Vector through = inverse.col(idlest) / inverse(idlest, idlest);
    b -= b[idlest] * through;
    inverse -= (through * inverse.row(idlest)).eval();
    rest += least;
    there[at(idlest)] = 0;
  }
  std::vector<Index> result;
  for (Index k = 0; k < count; ++k)
    if (there[at(k)] != 0) result.push_back(chosen[at(k)]);
  return result;
}

double RowSums::criterion(const std::vector<Index>& chosen, double windows, double price) const {
  return criterion_of(*this, chosen, solve(chosen), windows, price);
}

}  // namespace lgn
