#include "lgn/identify/ambient/ambient_channels.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/inverse_root.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

/// What one more channel shows: its row of C, its column of G, and R(0) with the references.
struct OtherChannel {
  Vector c, g, variance;
  Matrix root;  ///< of the covariance of c
};

/// Cells hold the references first, then the channel.
OtherChannel find_channel(const std::vector<WhittleLikelihood::CellResponse>& responses,
                          const std::vector<SpectralCell>& cells) {
  const Index r = responses.front().c_t.rows(), n = responses.front().c_t.cols();
  const Index unknowns = 2 * n + r;
  Vector x = Vector::Zero(unknowns);
  Matrix root;
  // Of the channel's spectrum, what the references explain, and a flat rest.
  double rest = 1;
  for (int round = 0; round < 2; ++round) {
    Matrix products = Matrix::Zero(unknowns, unknowns), design(2 * r, unknowns);
    Vector sums = Vector::Zero(unknowns), target(2 * r);
    double unexplained = 0, lines = 0;
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const auto& at = responses[k];
      const ComplexMatrix whitening = at.whitening.adjoint();
      ComplexMatrix columns(r, unknowns);
      columns << (at.t_g * whitening).transpose(), (at.c_t.adjoint() * whitening).transpose(),
          whitening.transpose();
      const double weight = std::sqrt(cells[k].lines / ((columns * x).squaredNorm() + rest));
      const ComplexVector seen = (cells[k].periodogram.block(r, 0, 1, r) * whitening).transpose();
      unexplained +=
          cells[k].lines * std::max(0.0, cells[k].periodogram(r, r).real() - seen.squaredNorm());
      lines += cells[k].lines;
      design << weight * columns.real(), weight * columns.imag();
      target << weight * seen.real(), weight * seen.imag();
      products.selfadjointView<Eigen::Lower>().rankUpdate(design.transpose());
      sums.noalias() += design.transpose() * target;
      stop_point(static_cast<double>(r * unknowns * unknowns));
    }
    constexpr double least = 1e-6;
    rest = std::max(least, unexplained / lines);
    root = inverse_root(products.selfadjointView<Eigen::Lower>());
    x = root * (root.transpose() * sums);
  }
  // A complex number of variance v is two of v/2.
  return {x.head(n), x.segment(n, n), x.tail(r), root.topRows(n) / std::sqrt(2.0)};
}

}  // namespace

std::vector<Index> reference_channels(const Matrix& variance, Index most) {
  Matrix left = variance;
  std::vector<Index> chosen;
  for (Index k = 0; k < std::min(most, variance.rows()); ++k) {
    Index next = 0;
    if (!(left.diagonal().maxCoeff(&next) > 0)) break;
    chosen.push_back(next);
    const Vector column = left.col(next) / std::sqrt(left(next, next));
    left -= column * column.transpose();
    left.row(next).setZero();
    left.col(next).setZero();
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

AmbientModes in_all_channels(const AmbientModes& modes, const std::vector<Index>& references,
                             const AmbientRecord& record, const WhittleLikelihood& likelihood,
                             const ComplexVector& cell_poles, double cell_width) {
  const ModalStructure& known = *modes.structure;
  const Index n = known.dimension(), l = record.channels();
  std::vector<Index> blocks;
  for (const auto& block : known.blocks())
    blocks.push_back(references[static_cast<std::size_t>(block.reference)]);
  AmbientModes all{std::make_shared<ModalStructure>(n, l, blocks, known.lossless()), {}, {}};
  const Matrix c = known.observation(modes.parameters.theta).matrix();
  const auto responses = likelihood.responses(likelihood.packed(modes.parameters));
  const Index together = std::ssize(references), extra = l - together;
  all.parameters.theta = Vector::Zero(all.structure->parameters());
  all.parameters.theta.head(n) = modes.parameters.theta.head(n);
  all.parameters.g = Matrix::Zero(n, l);
  all.parameters.variance = record.correlations(0).front();
  all.root =
      Matrix::Zero(all.structure->parameters(), modes.root.cols() + extra * (2 * n + together));
  all.root.topLeftCorner(n, modes.root.cols()) = modes.root.topRows(n);
  Index column = modes.root.cols();
  for (Index channel = 0; channel < l; ++channel) {
    const auto place = std::find(references.begin(), references.end(), channel);
    const bool is_reference = place != references.end();
    const auto own = static_cast<Index>(place - references.begin());
    OtherChannel found;
    if (is_reference) {
      found.c = c.row(own).transpose();
      all.parameters.g.col(channel) = modes.parameters.g.col(own);
      for (std::size_t other = 0; other < references.size(); ++other)
        all.parameters.variance(channel, references[other]) =
            modes.parameters.variance(own, static_cast<Index>(other));
    } else {
      std::vector<Index> with = references;
      with.push_back(channel);
      found = find_channel(responses, record.of_channels(with).cells(cell_poles, cell_width));
      all.parameters.g.col(channel) = found.g;
      for (std::size_t other = 0; other < references.size(); ++other)
        all.parameters.variance(channel, references[other]) = all.parameters.variance(
            references[other], channel) = found.variance[static_cast<Index>(other)];
    }
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto &block = all.structure->blocks()[b], &before = known.blocks()[b];
      if (channel == block.reference) continue;
      const Index size = block.size();
      const Index row = block.rows + size * (channel - (channel > block.reference ? 1 : 0));
      all.parameters.theta.segment(row, size) = found.c.segment(block.state, size);
      if (is_reference)
        all.root.block(row, 0, size, modes.root.cols()) = modes.root.middleRows(
            before.rows + size * (own - (own > before.reference ? 1 : 0)), size);
      else
        all.root.block(row, column, size, found.root.cols()) =
            found.root.middleRows(block.state, size);
    }
    if (!is_reference) column += found.root.cols();
  }
  all.root.conservativeResize(Eigen::NoChange, column);
  return all;
}

}  // namespace lgn
