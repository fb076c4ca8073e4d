#include "lgn/identify/likelihood/correlated_residuals.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "lgn/core/inverse_root.h"

namespace lgn {
namespace {

/// ρ(1), ρ(2), … of one channel, as far as they stand out of chance, faded out; empty where none does. Residuals are weighted, and
/// count as no larger than outliers do elsewhere.
Vector significant_lags(const std::vector<Matrix>& residuals, Index channel) {
  constexpr Index most_lags = 200, chances = 5;
  constexpr double largest = 3;
  double squares = 0, values = 0;
  Index longest = 0;
  std::vector<Vector> courses;
  for (const Matrix& e : residuals) {
    const Vector& course =
        courses.emplace_back(e.row(channel).transpose().cwiseMin(largest).cwiseMax(-largest));
    squares += course.squaredNorm();
    values += static_cast<double>((course.array() != 0).count());
    longest = std::max(longest, course.size());
  }
  const Index lags = std::min(most_lags, longest / 4);
  if (!(squares > 0) || lags < 1 || values < 20) return {};
  const double chance = 2 * std::sqrt(std::log10(values) / values);
  Vector correlation(lags);
  Index last = 0;
  for (Index k = 1; k <= lags; ++k) {
    double products = 0;
    for (const Vector& course : courses)
      if (course.size() > k)
        products += course.head(course.size() - k).dot(course.tail(course.size() - k));
    correlation[k - 1] = products / squares;
    if (std::abs(correlation[k - 1]) > chance) last = k;
    if (k - last >= chances && k >= 2 * last) break;
  }
  if (last == 0) return {};
  const Index end = std::min(lags, 2 * last - 1);
  Vector window = correlation.head(end);
  for (Index k = last + 1; k <= end; ++k)
    window[k - 1] *= static_cast<double>(2 * last - k) / static_cast<double>(last);
  return window;
}

/// M of the header.
Matrix meat(const WeightedResiduals& all, Index p, const std::vector<Vector>& lags) {
  const auto l = static_cast<Index>(lags.size());
  Matrix result = Matrix::Zero(p, p);
  for (Index r = 0; r < static_cast<Index>(all.residuals.size()); ++r) {
    const Matrix jacobian = all.jacobian(r);
    const Index samples = jacobian.cols() / l;
    for (Index c = 0; c < l; ++c) {
      const auto own = jacobian.middleCols(c * samples, samples);
      const Vector& window = lags[static_cast<std::size_t>(c)];
      Matrix shared = own;
      for (Index k = 1; k <= std::min(window.size(), samples - 1); ++k) {
        shared.leftCols(samples - k) += window[k - 1] * own.rightCols(samples - k);
        shared.rightCols(samples - k) += window[k - 1] * own.leftCols(samples - k);
      }
      result.noalias() += own * shared.transpose();
    }
  }
  return 0.5 * (result + result.transpose());
}

/// Whether there are runs enough for the directions in which they disagree.
bool many_runs(const WeightedResiduals& all, Index parameters) {
  return static_cast<Index>(all.residuals.size()) > 4 * parameters;
}

/// How much more the runs disagree about θ than by chance, as the covariance of what they want, whitened; the identity
/// where that could be chance or there are few runs. Where there are not many, all directions widen alike. `whitening` makes
/// independent numbers of size one of the whole gradient.
Matrix disagreement(const WeightedResiduals& all, Index p, const Matrix& whitening) {
  constexpr Index fewest_runs = 4, most_parameters = 200;
  const auto count = static_cast<Index>(all.residuals.size());
  Matrix spread = Matrix::Identity(p, p);
  if (count < fewest_runs || p > most_parameters) return spread;
  Matrix wanted(p, count);
  for (Index r = 0; r < count; ++r) {
    const Matrix weighted = all.residuals[static_cast<std::size_t>(r)].transpose();
    wanted.col(r) = whitening.transpose() * (all.jacobian(r) * weighted.reshaped());
  }
  const auto runs = static_cast<double>(count);
  const double freedom = (runs - 1) * static_cast<double>(p);
  const double ratio = wanted.squaredNorm() * runs / freedom;
  constexpr double chance = 3.5;
  if (!(ratio > 1 + chance * std::sqrt(2 / freedom))) return spread;
  if (!many_runs(all, p)) return ratio * spread;
  // Student's quantile at 95% over the normal one, for so few numbers.
  const double few = 1 + 1.21 / (runs - 1);
  return few * few * runs / (runs - 1) * wanted * wanted.transpose();
}

/// Widens a covariance, given by its root, by what stands between its whitened coordinates; by how much at most.
double widen(Matrix& root, Matrix& whitening, const Matrix& turned) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(turned);
  const Vector wider = eigen.eigenvalues().cwiseMax(1.0).cwiseSqrt();
  root = root * eigen.eigenvectors() * wider.asDiagonal();
  whitening = whitening * eigen.eigenvectors() * wider.cwiseInverse().asDiagonal();
  return wider.maxCoeff();
}

}  // namespace

ErrorRoot error_root(const Problem& problem, const Problem::Profile& profile,
                     const Problem::Normal& normal) {
  const Vector lower = problem.structure().lower_bounds();
  Vector gradient = normal.gradient;
  for (Index q = 0; q < gradient.size(); ++q)
    if (profile.theta[q] <= lower[q] && gradient[q] > 0) gradient[q] = 0;
  // All samples are looked at where they turn out to matter.
  std::optional<Problem> samples;
  std::shared_ptr<const Problem::Profile> of_samples;
  const WeightedResiduals all{problem.weighted_residuals(profile), [&](Index r) {
                                if (!problem.condensed())
                                  return problem.projected_jacobian(profile, normal, r);
                                if (!samples) {
                                  samples.emplace(problem.with_samples());
                                  of_samples = samples->profile(profile.theta);
                                }
                                return samples->projected_jacobian(*of_samples, normal, r);
                              }};
  return error_root(all, normal.information, gradient);
}

ErrorRoot error_root(const WeightedResiduals& all, const Matrix& information,
                     const Vector& gradient) {
  ErrorRoot result{inverse_root(information)};
  const Vector away = result.root.transpose() * gradient;
  const Vector step = result.root * away;

  Matrix whitening = result.root;
  const std::vector<Matrix>& residuals = all.residuals;
  const Index channels = residuals.empty() ? 0 : residuals.front().rows();
  std::vector<Vector> lags;
  for (Index c = 0; c < channels; ++c) lags.push_back(significant_lags(residuals, c));
  // Many runs tell by themselves how far chance takes them, whatever correlates within each.
  if (!many_runs(all, gradient.size()) &&
      std::any_of(lags.begin(), lags.end(), [](const Vector& w) { return w.size() > 0; }))
    result.widening = widen(result.root, whitening,
                            whitening.transpose() * meat(all, gradient.size(), lags) * whitening);
  result.widening *= widen(result.root, whitening, disagreement(all, gradient.size(), whitening));
  result.distance = away.size() > 0 ? away.norm() : 0.0;
  constexpr double visible = 0.05;
  if (std::isfinite(result.distance) && result.distance > visible) {
    result.root.conservativeResize(Eigen::NoChange, result.root.cols() + 1);
    result.root.rightCols(1) = step;
  }
  return result;
}

}  // namespace lgn
