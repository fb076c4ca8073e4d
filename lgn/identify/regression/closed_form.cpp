#include "lgn/identify/regression/closed_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "lgn/core/constants_internal.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/nonnegative_least_squares.h"
#include "lgn/core/semidefinite_least_squares.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/flow/time_steps.h"
#include "lgn/identify/regression/short_predictions.h"
#include "lgn/identify/regression/weak_form.h"

namespace lgn {
namespace {

constexpr int largest_half = 6;
/// Predictions that are this close, relative to the data, are as good as exact.
constexpr double exact = 1e-7;
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
  // A run with fewer samples than states shows fewer directions; the others have singular value
  // zero.
  const Index n = r.states.rows();
  Directions d{Matrix::Identity(n, n), Vector::Zero(n), Matrix::Zero(n, n)};
  if (r.states.cols() == 0) return d;
  const SingularValues svd = singular_value_decomposition(r.states.transpose());
  const Index shown = svd.s.size();
  if (shown < n) d.u = completed_basis(svd.v);
  d.u.leftCols(shown) = svd.v;
  d.s.head(shown) = svd.s;
  d.z.leftCols(shown) = d.u.transpose() * r.derivatives * svd.u;
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
  stop_point(0.2 * static_cast<double>(f.size() * n));
  return nonnegative_least_squares(f, b);
}

std::function<Matrix(const Regression&)> regression_for(const std::string& structure) {
  if (structure == "sd") return regress_sd;
  if (structure == "skew") return regress_skew;
  if (structure == "psd") return regress_psd;
  if (structure == "full") return regress_full;
  throw Error(fmt::format("there is no closed form for the structure \"{}\"", structure),
              "structures with one are skew, sd, psd and full");
}

/// The generator that predicts best so far.
class Selection {
 public:
  Selection(const Dataset& data, const ConstantStructure& structure)
      : regress_(regression_for(structure.name())), predictions_(data, telling_samples(data)) {}

  /// Regresses, and keeps the generator if it predicts better than those before; whether it did.
  bool consider(const Regression& regression) {
    any_ = true;
    stop_point(10 * static_cast<double>(regression.states.size() * regression.states.rows()));
    const Matrix a = regress_(regression);
    last_ = predictions_.error(a);
    if (!(last_ < least_)) return false;
    least_ = last_;
    best_ = a;
    return true;
  }
  /// Whether there was anything to consider.
  bool any() const { return any_; }
  /// Error of the last generator, and of the best.
  double last() const { return last_; }
  double least() const { return least_; }
  const Matrix& best() const { return best_; }

 private:
  std::function<Matrix(const Regression&)> regress_;
  ShortPredictions predictions_;
  bool any_ = false;
  double last_ = infinity, least_ = infinity;
  Matrix best_;
};

/// Long differences leave the least truncation error, short ones the least noise, and the best are
/// in between: from long to short until it has got worse twice.
void try_differences(const Dataset& data, Selection& selection) {
  int worse = 0;
  const auto look = [&](int half) {
    const Regression regression = central_differences(data, half);
    if (regression.states.cols() == 0) return;
    worse = selection.consider(regression) ? 0 : worse + 1;
  };
  bool more = true;
  for (int half = largest_half; half >= 1 && worse < 2 && more; --half)
    if (selection.best().size() == 0)
      look(half);
    else
      more = unless_stopped([&] { look(half); });
}

/// One width of windows, with better and better interpolation while that shows; under noise it does
/// not. Whether there were any windows.
bool try_width(const Dataset& data, double width, Selection& selection) {
  double before = infinity;
  for (const int order : {1, 3, 7}) {
    const Regression regression = weak_form(data, width, order);
    if (regression.states.cols() == 0) return order > 1;
    selection.consider(regression);
    if (order > 1 && !(selection.last() < 0.99 * before)) break;
    before = selection.last();
  }
  return true;
}

/// Wide windows leave the least noise, until they are wider than the oscillations in them.
void try_weak_forms(const Dataset& data, Selection& selection) {
  std::vector<double> durations;
  for (const auto& run : data.runs())
    durations.push_back(run.times()[run.samples() - 1] - run.times()[0]);
  std::sort(durations.begin(), durations.end());
  const double longest = durations.back();
  const double narrowest = std::min(6 * median_step(data), durations[durations.size() / 2]);
  const double period = 2 * std::numbers::pi / typical_rate(data);
  const double widest = std::clamp(1.5 * period, narrowest, longest);
  const int steps = widest > 1.1 * narrowest ? 5 : 0;
  bool any = false;
  for (int k = 0; k <= steps; ++k)
    any |= try_width(data, narrowest * std::pow(widest / narrowest, k / 5.0), selection);
  // Where gaps leave no windows so narrow, wider ones are better than nothing.
  for (double width = widest; !any && width < longest;) {
    width = std::min(1.5 * width, longest);
    any = try_width(data, width, selection);
  }
}

}  // namespace

Regression central_differences(const Dataset& data, int half) {
  const Vector weights = difference_weights(half);
  std::vector<Vector> states, derivatives;
  for (const auto& run : data.runs()) {
    const TimeSteps steps = find_steps(run.times());
    const auto step_after = [&](Index k) { return steps.which[static_cast<std::size_t>(k)]; };
    for (Index k = half; k + half < run.samples(); ++k) {
      stop_point(static_cast<double>(2 * (2 * half + 1) * data.dimension()) + 200);
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

Matrix regress_psd(const Regression& regression) {
  const Directions dir = decompose(regression);
  const Matrix& z = dir.z;
  // Directions that the data do not show dissipate nothing.
  const Index n = dir.s.size(), shown = (dir.s.array() > 1e-13 * dir.s.maxCoeff()).count();
  const Vector s = dir.s.head(shown), root = s.cwiseSqrt();
  // With S eliminated, Σ_ij h_ij (P̃_ij − free_ij)² is left, h_ij = 2σ_i²σ_j²/(σ_i² + σ_j²). For
  // Q = Σ^½ P̃ Σ^½, which is semidefinite where P̃ is, the weights are at most 1.
  Matrix h(shown, shown), b(shown, shown);
  for (Index j = 0; j < shown; ++j)
    for (Index i = 0; i < shown; ++i) {
      const double weight = root[i] * root[j] / (s[i] * s[i] + s[j] * s[j]);
      h(i, j) = 2 * root[i] * root[j] * weight;
      b(i, j) = -(s[i] * z(i, j) + s[j] * z(j, i)) * weight;
    }
  const auto rescale = [](const Vector& by, const Matrix& m) -> Matrix {
    return by.asDiagonal() * m * by.asDiagonal();
  };
  const Matrix free = rescale(root.cwiseInverse(), b.cwiseQuotient(h));
  Matrix p = Matrix::Zero(n, n);
  p.topLeftCorner(shown, shown) = free;
  if (shown > 0 && symmetric_eigenvalues(free)[0] < 0)
    p.topLeftCorner(shown, shown) =
        rescale(root.cwiseInverse(),
                semidefinite_least_squares(h, b, rescale(root, nearest_semidefinite(free))));
  const Matrix back = dir.u * p * dir.u.transpose();
  return skew_of(dir, z + p * dir.s.asDiagonal()) - 0.5 * (back + back.transpose());
}

Matrix regress_full(const Regression& regression) {
  return solve_minimum_norm(regression.states.transpose(), regression.derivatives.transpose())
      .transpose();
}

Matrix closed_form(const Dataset& data, const ConstantStructure& structure) {
  if (structure.name() == "sd" && data.dimension() > most_states)
    throw Error(fmt::format("the closed form of sd takes at most {} channels", most_states),
                "choose some: " + setting("channels"));
  if (amplitude(data) == 0)
    throw NotIdentified("every value is zero", "a system at rest shows nothing of its dynamics");
  Selection selection(data, structure);
  {
    // With hundreds of channels one regression takes seconds; the first then has to do.
    constexpr double some_seconds = 3e9;
    const WorkLimit limit(some_seconds);
    const auto look = [&](auto&& more) {
      if (selection.best().size() == 0)
        more();
      else
        unless_stopped(more);
    };
    look([&] { try_differences(data, selection); });
    if (selection.least() > exact) look([&] { try_weak_forms(data, selection); });
  }
  if (selection.any() && selection.best().size() == 0)
    throw NotIdentified("the regression's trajectory leaves the range of a double",
                        "use " + setting("method", "adam"));
  if (!selection.any())
    throw NotIdentified("no stretch of the samples is dense enough for a derivative or an integral",
                        "use " + setting("method", "adam"));
  return selection.best();
}

}  // namespace lgn
