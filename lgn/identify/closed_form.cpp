#include "lgn/identify/closed_form.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/core/nonnegative_least_squares.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/flow/time_steps.h"
#include "lgn/identify/trajectory_loss.h"

namespace lgn {
namespace {

constexpr int largest_half = 6;
/// The equations for d take n³/2 numbers: 1 GB.
constexpr Index most_states = 640;

/// Weights of the central difference of order 2·half at unit spacing:
/// w_j = −w_(−j) = (−1)^(j+1) (half!)² / (j (half − j)! (half + j)!).
Vector difference_weights(int half) {
  Vector w = Vector::Zero(2 * half + 1);
  double ratio = 1;  // (half!)² / ((half − j)! (half + j)!)
  for (int j = 1; j <= half; ++j) {
    ratio *= static_cast<double>(half - j + 1) / (half + j);
    w[half + j] = (j % 2 == 1 ? ratio : -ratio) / j;
    w[half - j] = -w[half + j];
  }
  return w;
}

/// X = U Σ Vᵀ and Z = Uᵀ Y V.
struct Directions {
  Matrix u;
  Vector s;
  Matrix z;
};

Directions decompose(const Regression& r) {
  const Eigen::BDCSVD<Matrix> svd(r.states.transpose(), Eigen::ComputeThinU | Eigen::ComputeThinV);
  // A run with fewer samples than states shows fewer directions; the others have singular value
  // zero.
  const Index n = r.states.rows();
  Directions d{Matrix::Identity(n, n), Vector::Zero(n), Matrix::Zero(n, n)};
  const Index shown = svd.singularValues().size();
  if (shown == n) {
    d.u = svd.matrixV();
  } else {
    const Eigen::HouseholderQR<Matrix> complete(svd.matrixV());
    d.u = complete.householderQ();
    d.u.leftCols(shown) = svd.matrixV();
  }
  d.s.head(shown) = svd.singularValues();
  d.z.leftCols(shown) = d.u.transpose() * r.derivatives * svd.matrixU();
  return d;
}

/// S from W = Z + (Uᵀ diag(d) U) Σ: each pair i < j minimises (S̃_ij σ_j − W_ij)² + (S̃_ij σ_i +
/// W_ji)².
Matrix skew_of(const Directions& dir, const Matrix& w) {
  const Index n = dir.s.size();
  Matrix s = Matrix::Zero(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < j; ++i) {
      const double weight = dir.s[i] * dir.s[i] + dir.s[j] * dir.s[j];
      s(i, j) = weight > 0 ? (dir.s[j] * w(i, j) - dir.s[i] * w(j, i)) / weight : 0.0;
      s(j, i) = -s(i, j);
    }
  const Matrix back = dir.u * s * dir.u.transpose();
  return 0.5 * (back - back.transpose());
}

/// What the pairs leave: n(n+1)/2 equations F d = b.
Vector dissipation_of(const Directions& dir) {
  const Matrix &u = dir.u, &z = dir.z;
  const Vector& s = dir.s;
  const Index n = s.size();
  Matrix f = Matrix::Zero(n * (n + 1) / 2, n);
  Vector b = Vector::Zero(f.rows());
  Index row = 0;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i, ++row) {
      const double length = std::hypot(s[i], s[j]);
      if (i == j) {
        f.row(row) = -s[i] * u.col(i).cwiseAbs2().transpose();
        b[row] = z(i, i);
      } else if (length > 0) {
        f.row(row) = 2 * s[i] * s[j] / length * u.col(i).cwiseProduct(u.col(j)).transpose();
        b[row] = -(s[i] * z(i, j) + s[j] * z(j, i)) / length;
      }
    }
  return nonnegative_least_squares(f, b);
}

std::function<Matrix(const Regression&)> regression_for(const std::string& structure) {
  if (structure == "sd") return regress_sd;
  if (structure == "skew") return regress_skew;
  if (structure == "full") return regress_full;
  throw Error(fmt::format("there is no closed form for the structure \"{}\"", structure),
              "structures with one are skew, sd and full");
}

}  // namespace

Regression central_differences(const Dataset& data, int half) {
  const Vector weights = difference_weights(half);
  std::vector<Vector> states, derivatives;
  for (const auto& run : data.runs()) {
    const TimeSteps steps = find_steps(run.times());
    const auto step_after = [&](Index k) { return steps.which[static_cast<std::size_t>(k)]; };
    for (Index k = half; k + half < run.samples(); ++k) {
      const auto window = run.states().middleCols(k - half, 2 * half + 1);
      bool even = true;
      for (Index j = k - half; j < k + half; ++j) even = even && step_after(j) == step_after(k);
      if (!even || window.array().isNaN().any()) continue;
      states.emplace_back(run.states().col(k));
      derivatives.emplace_back(window * weights / steps.length[step_after(k)]);
    }
  }
  Regression regression{Matrix(data.dimension(), static_cast<Index>(states.size())),
                        Matrix(data.dimension(), static_cast<Index>(states.size()))};
  for (std::size_t k = 0; k < states.size(); ++k) {
    regression.states.col(static_cast<Index>(k)) = states[k];
    regression.derivatives.col(static_cast<Index>(k)) = derivatives[k];
  }
  return regression;
}

Matrix regress_skew(const Regression& regression) {
  const Directions dir = decompose(regression);
  return skew_of(dir, dir.z);
}

Matrix regress_sd(const Regression& regression) {
  const Directions dir = decompose(regression);
  const Vector d = dissipation_of(dir);
  Matrix a = skew_of(dir, dir.z + dir.u.transpose() * d.asDiagonal() * dir.u * dir.s.asDiagonal());
  a.diagonal() = -d;
  return a;
}

Matrix regress_full(const Regression& regression) {
  return regression.states.transpose()
      .completeOrthogonalDecomposition()
      .solve(regression.derivatives.transpose())
      .transpose();
}

Matrix closed_form(const Dataset& data, const Structure& structure) {
  const auto regress = regression_for(structure.name());
  if (structure.name() == "sd" && data.dimension() > most_states)
    throw Error(fmt::format("the closed form of sd takes at most {} channels", most_states),
                "choose some with --channels");
  if (amplitude(data) == 0)
    throw NotIdentified("every value is zero", "a system at rest shows nothing of its dynamics");
  // Over about a radian a wrong generator shows, and its trajectory has not yet lost the data's
  // phase.
  const double radian = 1 / (typical_rate(data) * median_step(data));
  const Dataset windows = cut_windows(data, std::max<Index>(5, std::lround(radian)));
  const TrajectoryLoss loss(windows, channel_amplitudes(data).cwiseAbs2().cwiseInverse());
  const Matrix starts = measured_starts(windows);
  Matrix best;
  bool any = false;
  double least = std::numeric_limits<double>::infinity();
  for (int half = 1; half <= largest_half; ++half) {
    const Regression regression = central_differences(data, half);
    if (regression.states.cols() == 0) break;
    any = true;
    const Matrix a = regress(regression);
    const double error = loss.value(a, starts);
    if (!(error < least)) continue;
    least = error;
    best = a;
  }
  if (any && best.size() == 0)
    throw NotIdentified("the regression's trajectory leaves the range of a double",
                        "use --method adam");
  if (!any)
    throw NotIdentified(
        "no three samples are evenly spaced and complete, so no derivative can be taken",
        "use --method adam");
  return best;
}

}  // namespace lgn
