#include "lgn/identify/regression/reduction.h"

#include <string>

#include "lgn/core/decompositions.h"
#include "lgn/data/scales.h"

namespace lgn {
namespace {

/// How many singular values, largest first, stand out.
Index significant(const Vector& s) {
  constexpr double rounding = 1e-11;
  const Index n = s.size();
  double floor = rounding * s[0];
  // White noise spreads its singular values by less than this; a signal's fall much faster.
  const double plateau = s[n - 1 - n / 2];
  if (s[n - 1] > plateau / 4) floor = std::max(floor, 2 * plateau);
  Index count = 0;
  while (count < n && s[count] > floor) ++count;
  return count;
}

}  // namespace

Dataset Reduction::reduced(const Dataset& data) const {
  std::vector<std::string> names;
  for (Index k = 0; k < basis.cols(); ++k) names.push_back("z" + std::to_string(k + 1));
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs())
    runs.emplace_back(run.label(), run.times(),
                      basis.transpose() * sizes.cwiseInverse().asDiagonal() * run.states());
  return Dataset(std::move(names), std::move(runs));
}

Matrix Reduction::lifted(const Matrix& generator) const {
  const Index n = basis.rows();
  const double fastest = eigenvalues(generator).cwiseAbs().maxCoeff();
  const Matrix inner = basis * generator * basis.transpose() -
                       fastest * (Matrix::Identity(n, n) - basis * basis.transpose());
  return sizes.asDiagonal() * inner * sizes.cwiseInverse().asDiagonal();
}

std::optional<Reduction> find_reduction(const Dataset& data) {
  if (data.present() < data.samples() * data.dimension()) return {};
  const Vector sizes = channel_amplitudes(data);
  Matrix samples(data.samples(), data.dimension());
  Index row = 0;
  for (const auto& run : data.runs()) {
    samples.middleRows(row, run.samples()) =
        run.states().transpose() * sizes.cwiseInverse().asDiagonal();
    row += run.samples();
  }
  if (samples.rows() < samples.cols()) return {};
  // Singular values and right vectors are those of R, too.
  const SingularValues svd = singular_value_decomposition(qr_triangle(samples));
  const Index rank = significant(svd.s);
  if (rank < 1 || rank == data.dimension()) return {};
  return Reduction{svd.v.leftCols(rank), sizes};
}

}  // namespace lgn
