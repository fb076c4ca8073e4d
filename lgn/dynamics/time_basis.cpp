#include "lgn/dynamics/time_basis.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <set>
#include <unsupported/Eigen/Splines>

#include "lgn/core/error.h"

namespace lgn {
namespace {

std::string wave_name(Index f) {
  if (f == 0) return {};
  return fmt::format("{}{}", f % 2 == 1 ? "cos" : "sin", (f + 1) / 2);
}

/// 1, then cos and sin of every frequency.
Matrix wave_values(const Vector& frequencies, const Vector& since) {
  Matrix result(1 + 2 * frequencies.size(), since.size());
  for (Index k = 0; k < since.size(); ++k) {
    result(0, k) = 1;
    for (Index j = 0; j < frequencies.size(); ++j) {
      result(1 + 2 * j, k) = std::cos(frequencies[j] * since[k]);
      result(2 + 2 * j, k) = std::sin(frequencies[j] * since[k]);
    }
  }
  return result;
}

/// The functions from `first` on, each `length` of them together.
std::vector<std::vector<Index>> groups_of(Index first, Index size, Index length) {
  std::vector<std::vector<Index>> groups;
  for (; first < size; first += length) {
    groups.emplace_back(static_cast<std::size_t>(length));
    std::iota(groups.back().begin(), groups.back().end(), first);
  }
  return groups;
}

}  // namespace

Matrix TimeBasis::slopes(const Vector&, const Vector& times) const {
  return Matrix::Zero(size(), times.size());
}

FourierFeatures::FourierFeatures(Vector frequencies, double origin)
    : frequencies_(std::move(frequencies)), origin_(origin) {}

FourierFeatures FourierFeatures::draw(Index count, double low, double high, Random& random) {
  Vector frequencies(count);
  for (double& frequency : frequencies) frequency = low * std::pow(high / low, random.uniform());
  return FourierFeatures(frequencies);
}

std::string FourierFeatures::function_name(Index f) const { return wave_name(f); }

Matrix FourierFeatures::values(const Vector&, const Vector& times) const {
  return wave_values(frequencies_, times.array() - origin_);
}

std::vector<std::vector<Index>> FourierFeatures::groups() const { return groups_of(1, size(), 2); }

std::string Harmonics::function_name(Index f) const { return wave_name(f); }

Matrix Harmonics::values(const Vector& omega, const Vector& times) const {
  return wave_values(omega, times.array() - origin_);
}

std::vector<std::vector<Index>> Harmonics::groups() const { return groups_of(1, size(), 2); }

Matrix Harmonics::slopes(const Vector& omega, const Vector& times) const {
  const Matrix wave = values(omega, times);
  Matrix result = Matrix::Zero(wave.rows(), wave.cols());
  for (Index k = 0; k < times.size(); ++k)
    for (Index j = 0; j < count_; ++j) {
      result(1 + 2 * j, k) = -(times[k] - origin_) * wave(2 + 2 * j, k);
      result(2 + 2 * j, k) = (times[k] - origin_) * wave(1 + 2 * j, k);
    }
  return result;
}

std::optional<double> Harmonics::period(const Vector& omega) const {
  constexpr double slip = 1e-3;  // of a turn per period
  constexpr int most = 6;
  if (count_ == 0) return {};
  const double lowest = omega.head(count_).minCoeff();
  for (int turns = 1; turns <= most; ++turns) {  // of the lowest in a period
    const Vector counted = turns / lowest * omega.head(count_);
    const Vector whole = counted.array().round();
    const std::set<double> different(whole.begin(), whole.end());
    if (((counted - whole).cwiseAbs().array() <= slip).all() &&
        static_cast<Index>(different.size()) == count_)
      return 2 * std::numbers::pi * turns / lowest;
  }
  return {};
}

SplineBasis::SplineBasis(Index count, double begin, double end)
    : count_(count), begin_(begin), end_(end) {
  if (count < 4) throw Error("a cubic spline needs at least four coefficients");
  if (!(end > begin)) throw Error("a spline needs an interval of time");
}

std::string SplineBasis::function_name(Index f) const {
  return f == 0 ? std::string() : fmt::format("spline{}", f);
}

Matrix SplineBasis::values(const Vector&, const Vector& times) const {
  using Spline = Eigen::Spline<double, 1, 3>;
  constexpr Index degree = 3;
  // Knots in [0, 1], each end as often as it takes for the first spline to begin there.
  Spline::KnotVectorType knots(count_ + degree + 1);
  for (Index k = 0; k < knots.size(); ++k)
    knots[k] = std::clamp(static_cast<double>(k - degree) / static_cast<double>(count_ - degree),
                          0.0, 1.0);
  Matrix result = Matrix::Zero(size(), times.size());
  result.row(0).setOnes();
  for (Index k = 0; k < times.size(); ++k) {
    const double u = std::clamp((times[k] - begin_) / (end_ - begin_), 0.0, 1.0);
    const Index last = std::min(Spline::Span(u, degree, knots), count_ - 1);
    const auto nonzero = Spline::BasisFunctions(u, degree, knots);
    for (Index j = 0; j <= degree; ++j) result(1 + last - degree + j, k) = nonzero[j];
  }
  return result;
}

std::vector<std::vector<Index>> SplineBasis::groups() const { return groups_of(1, size(), count_); }

}  // namespace lgn
