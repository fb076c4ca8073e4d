#include "lgn/dynamics/modal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"

namespace lgn {
namespace {

/// How poles make blocks: pairs, conjugate or both real, then one that stays alone.
struct Grouping {
  std::vector<std::pair<Index, Index>> pairs;
  std::vector<Index> single;
};

Grouping group_poles(const ComplexVector& poles) {
  Grouping result;
  std::vector<Index> real;
  for (Index k = 0; k < poles.size(); ++k) {
    if (poles[k].imag() > 0) {
      if (k + 1 >= poles.size() || poles[k + 1].imag() >= 0)
        throw Error("complex poles must stand beside their conjugates");
      result.pairs.emplace_back(k, k + 1);
      ++k;
    } else if (poles[k].imag() < 0) {
      if (k + 1 >= poles.size() || poles[k + 1].imag() <= 0)
        throw Error("complex poles must stand beside their conjugates");
      result.pairs.emplace_back(k + 1, k);
      ++k;
    } else {
      real.push_back(k);
    }
  }
  std::sort(real.begin(), real.end(),
            [&](Index a, Index b) { return std::abs(poles[a]) < std::abs(poles[b]); });
  if (real.size() % 2 != 0) {
    result.single.push_back(real.back());
    real.pop_back();
  }
  for (std::size_t k = 0; k < real.size(); k += 2) result.pairs.emplace_back(real[k], real[k + 1]);
  return result;
}

/// Where a mode is largest.
Index strongest(const ComplexMatrix& shapes, const std::vector<Index>& poles, const Vector& sizes) {
  Vector strength = Vector::Zero(shapes.rows());
  for (const Index k : poles) strength += shapes.col(k).cwiseAbs2();
  Index channel = 0;
  strength.cwiseQuotient(sizes.cwiseAbs2()).maxCoeff(&channel);
  return channel;
}

}  // namespace

ModalStructure::ModalStructure(Index states, Index channels, std::vector<Index> references,
                               bool lossless)
    : n_(states), channels_(channels), parameters_(0), lossless_(lossless) {
  const Index pairs = n_ / 2, single = n_ % 2;
  if (n_ < 1 || channels_ < 1 || static_cast<Index>(references.size()) != pairs + single)
    throw Error("a modal structure needs a state, a channel, and a reference for every block");
  if (lossless && single != 0)
    throw Error("a lossless system of hidden states has an even number of them");
  for (const Index c : references)
    if (c < 0 || c >= channels_) throw Error("there is no such reference channel");
  const Index of_pair = lossless_ ? 1 : 2;
  for (Index b = 0; b < pairs + single; ++b) {
    Block block;
    block.state = 2 * b;
    block.pair = b < pairs;
    block.reference = references[static_cast<std::size_t>(b)];
    block.rates = of_pair * b;
    blocks_.push_back(block);
  }
  parameters_ = of_pair * pairs + single;
  for (Block& block : blocks_) {
    block.rows = parameters_;
    parameters_ += block.size() * (channels_ - 1);
  }
}

std::pair<double, double> ModalStructure::rates(const Block& block, const Vector& theta) const {
  if (!block.pair) return {0.0, std::max(theta[block.rates], 0.0)};
  return {theta[block.rates], lossless_ ? 0.0 : std::max(theta[block.rates + 1], 0.0)};
}

Observation ModalStructure::observation(const Vector& theta) const {
  Matrix c(channels_, n_);
  for (const Block& block : blocks_)
    for (Index channel = 0, row = 0; channel < channels_; ++channel) {
      auto seen = c.row(channel).segment(block.state, block.size());
      if (channel == block.reference)
        seen = Vector::Unit(block.size(), 0).transpose();
      else
        seen = theta.segment(block.rows + block.size() * row++, block.size()).transpose();
    }
  return Observation(std::move(c));
}

std::vector<std::string> ModalStructure::parameter_names() const {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (!blocks_[b].pair) {
      names.push_back("s");
      continue;
    }
    names.push_back(fmt::format("w{}", b + 1));
    if (!lossless_) names.push_back(fmt::format("d{}", b + 1));
  }
  for (const Block& block : blocks_)
    for (Index channel = 0; channel < channels_; ++channel)
      for (Index i = 0; i < block.size() && channel != block.reference; ++i)
        names.push_back(fmt::format("C{},{}", channel + 1, block.state + i + 1));
  return names;
}

Matrix ModalStructure::generator(const Vector& theta) const {
  Matrix a = Matrix::Zero(n_, n_);
  for (const Block& block : blocks_) {
    const auto [w, d] = rates(block, theta);
    const Index last = block.state + block.size() - 1;
    if (block.pair) {
      a(block.state, last) = w;
      a(last, block.state) = -w;
    }
    a(last, last) = -d;
  }
  return a;
}

Vector ModalStructure::pullback(const Vector& theta, const Matrix& g) const {
  Vector result = Vector::Zero(parameters_);
  for (const Block& block : blocks_) {
    const Index last = block.state + block.size() - 1, decay = block.rates + block.size() - 1;
    if (block.pair) result[block.rates] = g(block.state, last) - g(last, block.state);
    if (!lossless_) result[decay] = theta[decay] >= 0 ? -g(last, last) : 0.0;
  }
  return result;
}

Matrix ModalStructure::pushforward(const Vector& theta, const Vector& delta) const {
  Matrix a = Matrix::Zero(n_, n_);
  for (const Block& block : blocks_) {
    const Index last = block.state + block.size() - 1, decay = block.rates + block.size() - 1;
    if (block.pair) {
      a(block.state, last) = delta[block.rates];
      a(last, block.state) = -delta[block.rates];
    }
    if (!lossless_ && theta[decay] >= 0) a(last, last) = -delta[decay];
  }
  return a;
}

Vector ModalStructure::project(const Matrix& a) const {
  ComplexVector poles = eigenvalues(a);
  const ModalSystem system =
      modal_system(poles, ComplexMatrix::Ones(1, n_), Vector::Ones(1), lossless_);
  Vector theta = Vector::Zero(parameters_);
  theta.head(system.theta.size()) = system.theta;
  for (const Block& block : blocks_)
    for (Index row = 0; row + 1 < channels_; ++row) theta[block.rows + block.size() * row] = 1;
  return theta;
}

Vector ModalStructure::random_start(Random& random) const {
  Vector theta = 0.1 * random.normals(parameters_);
  for (const Block& block : blocks_) {
    const Index rates = block.pair && !lossless_ ? 2 : 1;
    theta.segment(block.rates, rates) = theta.segment(block.rates, rates).cwiseAbs();
    if (block.pair) theta[block.rates] += 1;
  }
  return theta;
}

Vector ModalStructure::lower_bounds() const {
  Vector lower = ConstantStructure::lower_bounds();
  for (const Block& block : blocks_)
    lower.segment(block.rates, block.pair && !lossless_ ? 2 : 1).setZero();
  return lower;
}

std::vector<NamedValue> ModalStructure::named_values(const Vector& theta) const {
  Vector w(n_ / 2), d(n_ / 2);
  std::vector<NamedValue> result;
  for (Index b = 0; b < n_ / 2; ++b)
    std::tie(w[b], d[b]) = rates(blocks_[static_cast<std::size_t>(b)], theta);
  if (w.size() > 0) {
    result.push_back({"w", w, NamedValue::Shape::vector});
    if (!lossless_) result.push_back({"d", d, NamedValue::Shape::vector});
  }
  if (n_ % 2 != 0)
    result.push_back({"s", Matrix::Constant(1, 1, rates(blocks_.back(), theta).second),
                      NamedValue::Shape::scalar});
  return result;
}

ModalPoles modal_poles(const ModalStructure& structure, const Vector& theta) {
  const Index n = structure.dimension();
  ModalPoles result{ComplexVector(n), ComplexMatrix(structure.channels(), n)};
  const Matrix c = structure.observation(theta).matrix();
  for (const auto& block : structure.blocks()) {
    const auto [w, d] = structure.rates(block, theta);
    if (!block.pair) {
      result.poles[block.state] = -d;
      result.shapes.col(block.state) = c.col(block.state).cast<Complex>();
      continue;
    }
    const Complex apart = std::sqrt(Complex(d * d / 4 - w * w));
    // The larger one without cancellation, the other from their product.
    const Complex large = -d / 2 - apart, small = std::abs(large) > 0 ? w * w / large : 0.0;
    result.poles[block.state] = std::conj(large).imag() > 0 ? std::conj(large) : small;
    result.poles[block.state + 1] = large;
    for (Index i = 0; i < 2; ++i) {
      const Complex slope = w > 0 ? result.poles[block.state + i] / w : 0.0;
      result.shapes.col(block.state + i) = c.col(block.state) + slope * c.col(block.state + 1);
    }
  }
  return result;
}

ModalSystem modal_system(const ComplexVector& poles, const ComplexMatrix& shapes,
                         const Vector& sizes, bool lossless) {
  if (shapes.cols() != poles.size() || shapes.rows() != sizes.size())
    throw Error("there must be a shape for every pole, with an entry for every channel");
  const Grouping groups = group_poles(poles);
  std::vector<Index> references;
  for (const auto& [i, j] : groups.pairs) references.push_back(strongest(shapes, {i, j}, sizes));
  for (const Index i : groups.single) references.push_back(strongest(shapes, {i}, sizes));
  const Index channels = shapes.rows();
  auto structure =
      std::make_shared<const ModalStructure>(poles.size(), channels, references, lossless);
  Vector theta = Vector::Zero(structure->parameters());
  for (std::size_t b = 0; b < structure->blocks().size(); ++b) {
    const ModalStructure::Block& block = structure->blocks()[b];
    const Index i = block.pair ? groups.pairs[b].first : groups.single.front();
    const Index j = block.pair ? groups.pairs[b].second : i;
    const double w = std::sqrt(std::abs((poles[i] * poles[j]).real()));
    const double d = std::abs(poles[i].real()) + (block.pair ? std::abs(poles[j].real()) : 0.0);
    if (block.pair) theta[block.rates] = w;
    if (!lossless) theta[block.rates + block.size() - 1] = d;
    for (Index channel = 0, row = 0; channel < channels; ++channel) {
      if (channel == block.reference) continue;
      const auto relative = [&](Index k) {
        const Complex reference = shapes(block.reference, k);
        return std::abs(reference) > 0 ? shapes(channel, k) / reference : Complex(0);
      };
      const Index place = block.rows + block.size() * row++;
      const Complex first = relative(i), second = relative(j);
      theta[place] = first.real();
      if (!block.pair) continue;
      // r₁ + r₂ λ/w is the shape, of both poles.
      const Complex apart = poles[i] - poles[j];
      if (std::abs(apart) < 1e-9 * w || !(w > 0)) continue;
      const double slope = (w * (first - second) / apart).real();
      theta[place] = (first - slope * poles[i] / w).real();
      theta[place + 1] = slope;
    }
  }
  return {std::move(structure), std::move(theta)};
}

}  // namespace lgn
