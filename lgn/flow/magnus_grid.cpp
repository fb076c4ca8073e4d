#include "lgn/flow/magnus_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/magnus_kernel_internal.h"

namespace lgn {
namespace {

/// Steps through one interval of time, and what they do.
class Interval {
 public:
  Interval(const VaryingStructure& structure, const Vector& theta)
      : structure_(structure), theta_(theta), kernel_(structure.dimension()) {
    if (!structure.guarantee().dissipative) return;
    const Matrix q = structure.energy(theta).value();
    const Eigen::LLT<Matrix> factor(q);
    root_ = factor.matrixU();  // Q = UᵀU
  }

  bool keeps_energy() const { return root_.size() > 0; }

  /// The maps of `count` equal steps.
  const std::vector<Matrix>& maps(const MagnusScheme& scheme, double begin, double length,
                                  Index count) {
    const Index n = structure_.dimension(), nodes = static_cast<Index>(scheme.nodes.size());
    const double h = length / static_cast<double>(count);
    Vector times(nodes * count);
    for (Index s = 0; s < count; ++s)
      for (Index i = 0; i < nodes; ++i)
        times[s * nodes + i] =
            begin + h * (static_cast<double>(s) + scheme.nodes[static_cast<std::size_t>(i)]);
    const auto course = structure_.sample(times)->course(theta_);
    maps_.assign(static_cast<std::size_t>(count), Matrix::Identity(n, n));
    for (Index s = 0; s < count; ++s) {
      kernel_.exponents(scheme, h, course->generators().middleCols(s * nodes * n, nodes * n),
                        omega_);
      Matrix& map = maps_[static_cast<std::size_t>(s)];
      for (const Matrix& omega : omega_) {
        if (!omega.allFinite()) throw Error("the generator is not finite");
        map = exponential(omega) * map;
      }
    }
    return maps_;
  }

  /// The product of the maps.
  Matrix product() const {
    Matrix result = maps_.front();
    for (std::size_t s = 1; s < maps_.size(); ++s) result = maps_[s] * result;
    return result;
  }

  /// Whether no map of maps() lets the energy of some state grow by more than rounding.
  bool contract() const {
    const double rounding =
        8 * static_cast<double>(structure_.dimension()) * std::numeric_limits<double>::epsilon();
    return std::all_of(maps_.begin(), maps_.end(), [&](const Matrix& map) {
      // ‖U Φ U⁻¹‖₂ ≤ 1.
      const Matrix moved = root_.triangularView<Eigen::Upper>().solve<Eigen::OnTheRight>(
          root_.triangularView<Eigen::Upper>() * map);
      const Matrix gram = moved.transpose() * moved;
      const Eigen::SelfAdjointEigenSolver<Matrix> solver(gram, Eigen::EigenvaluesOnly);
      return solver.eigenvalues().maxCoeff() <= 1 + rounding;
    });
  }

 private:
  const VaryingStructure& structure_;
  const Vector& theta_;
  MagnusKernel<Eigen::Dynamic> kernel_;
  Matrix root_;
  std::vector<Matrix> maps_, omega_;
};

/// Steps at which halving them changes less than the tolerance.
Index find_substeps(Interval& interval, const MagnusScheme& scheme, double begin, double length,
                    const MagnusOptions& options) {
  constexpr double safety = 1.1;
  for (Index count = 1; count < options.most_substeps;) {
    interval.maps(scheme, begin, length, count);
    const Matrix coarse = interval.product();
    interval.maps(scheme, begin, length, 2 * count);
    const Matrix fine = interval.product();
    // The finer one is more exact by 2^order, so that nearly all of the difference is the coarse one's.
    const double error = (coarse - fine).norm() / fine.norm();
    if (!(error > options.tolerance)) return count;
    const double factor = safety * std::pow(error / options.tolerance, 1.0 / scheme.order);
    count =
        std::max(count + 1,
                 static_cast<Index>(std::min(std::ceil(static_cast<double>(count) * factor), 1e6)));
  }
  return options.most_substeps;
}

}  // namespace

void MagnusGrid::add(double next, const MagnusScheme& scheme, Index count) {
  const double begin = times[static_cast<Index>(first.size()) - 1];
  const double h = (next - begin) / static_cast<double>(count);
  for (Index s = 0; s < count; ++s)
    steps.push_back({begin + h * static_cast<double>(s), h, &scheme});
  first.push_back(steps.size());
}

bool MagnusGrid::operator==(const MagnusGrid& other) const {
  return times == other.times && first == other.first &&
         std::equal(steps.begin(), steps.end(), other.steps.begin(), other.steps.end(),
                    [](const MagnusStep& a, const MagnusStep& b) { return a.scheme == b.scheme; });
}

MagnusGrid even_grid(const Vector& times, const MagnusScheme& scheme, Index substeps) {
  MagnusGrid grid{times, {}, {0}};
  for (Index k = 1; k < times.size(); ++k) grid.add(times[k], scheme, substeps);
  return grid;
}

MagnusGrid plan_grid(const VaryingStructure& structure, const Vector& theta, const Vector& times,
                     const MagnusOptions& options) {
  const MagnusScheme& wanted = find_magnus_scheme(options.method);
  const MagnusScheme& free = find_magnus_scheme("4-commutator-free");
  const MagnusScheme& midpoint = find_magnus_scheme("2");
  Interval interval(structure, theta);
  MagnusGrid grid{times, {}, {0}};
  for (Index k = 1; k < times.size(); ++k) {
    const double begin = times[k - 1], length = times[k] - begin;
    Index count = find_substeps(interval, wanted, begin, length, options);
    const MagnusScheme* scheme = &wanted;
    if (interval.keeps_energy()) {
      const auto keeps = [&](const MagnusScheme& method) {
        interval.maps(method, begin, length, count);
        return interval.contract();
      };
      while (!keeps(*scheme)) {
        if (scheme == &wanted && scheme != &free) {
          scheme = &free;
          count = std::max(count, find_substeps(interval, free, begin, length, options));
        } else if (count < options.most_substeps) {
          count *= 2;
        } else {
          scheme = &midpoint;
          break;
        }
      }
    }
    grid.add(times[k], *scheme, count);
  }
  return grid;
}

}  // namespace lgn
