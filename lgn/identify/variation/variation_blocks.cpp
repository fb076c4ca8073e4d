#include "lgn/identify/variation/variation_blocks.h"

#include <limits>

#include "lgn/core/stop.h"

namespace lgn {
namespace {

/// Part of an unknown's information that must be left when others are eliminated; with less it is a
/// combination of them.
constexpr double independent = 1e-9;

/// H + a little of its own scale on the diagonal.
Matrix regular(Matrix h, const Vector& scale) {
  h.diagonal() += independent * scale;
  h.diagonal().array() += 1e-300;
  return h;
}

}  // namespace

Matrix part(const Matrix& m, const Block& rows, const Block& columns) {
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (std::size_t i = 0; i < rows.size(); ++i)
      result(static_cast<Index>(i), static_cast<Index>(j)) = m(rows[i], columns[j]);
  return result;
}

BlockModel::BlockModel(const Matrix& information, const Vector& gradient, const Block& old,
                       const std::vector<Block>& blocks) {
  Block fresh;
  for (const Block& block : blocks) {
    Block places;
    for (const Index unknown : block) {
      places.push_back(static_cast<Index>(fresh.size()));
      fresh.push_back(unknown);
    }
    blocks_.push_back(places);
  }
  const Matrix all_gradient = gradient;
  information_ = part(information, fresh, fresh);
  gradient_ = part(all_gradient, fresh, {0});
  scale_ = information_.diagonal();
  if (old.empty()) return;
  const Matrix there = part(information, old, old), across = part(information, old, fresh);
  const Eigen::LDLT<Matrix> factor(regular(there, 1e-3 * there.diagonal()));
  information_ -= across.transpose() * factor.solve(across);
  gradient_ -= across.transpose() * factor.solve(part(all_gradient, old, {0}));
}

double BlockModel::total_gain() const {
  return gradient_.dot(regular(information_, scale_).ldlt().solve(gradient_));
}

double BlockModel::gain(std::size_t block) const {
  const Block& places = blocks_[block];
  const Vector g = part(Matrix(gradient_), places, {0});
  const Vector scale = part(Matrix(scale_), places, {0});
  return g.dot(regular(part(information_, places, places), scale).ldlt().solve(g));
}

std::vector<std::size_t> BlockModel::choose(double price) const {
  BlockModel rest = *this;
  std::vector<std::size_t> chosen;
  std::vector<char> taken(blocks_.size(), 0);
  while (chosen.size() < blocks_.size()) {
    stop_point(2 * static_cast<double>(information_.size()) + 2000);
    double best = 0;
    std::size_t found = blocks_.size();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (taken[b]) continue;
      const double gain = rest.gain(b) - price * static_cast<double>(blocks_[b].size());
      if (!(gain > best)) continue;
      best = gain;
      found = b;
    }
    if (found == blocks_.size()) break;
    taken[found] = 1;
    chosen.push_back(found);
    // What the chosen one explains is no longer there for the others.
    const Block& places = blocks_[found];
    Block all(static_cast<std::size_t>(gradient_.size()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
    const Matrix across = part(rest.information_, places, all);
    const Eigen::LDLT<Matrix> factor(
        regular(part(rest.information_, places, places), part(Matrix(scale_), places, {0})));
    rest.gradient_ -= across.transpose() * factor.solve(part(Matrix(rest.gradient_), places, {0}));
    rest.information_ -= across.transpose() * factor.solve(across);
  }
  return chosen;
}

double wald_statistic(const Vector& x, const Matrix& covariance, const Matrix& contrast) {
  const Vector c = contrast * x;
  if (c.isZero(0)) return 0;
  const Eigen::LDLT<Matrix> factor(contrast * covariance * contrast.transpose());
  const double value = c.dot(factor.solve(c));
  return factor.info() == Eigen::Success && value >= 0 ? value
                                                       : std::numeric_limits<double>::infinity();
}

}  // namespace lgn
