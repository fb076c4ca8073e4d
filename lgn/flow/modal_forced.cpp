#include "lgn/flow/modal_forced.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "lgn/core/stop.h"

namespace lgn {
namespace {

/// A number and its derivatives by w and d.
struct Dual {
  double value = 0, w = 0, d = 0;
};
Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.w + b.w, a.d + b.d}; }
Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.w - b.w, a.d - b.d}; }
Dual operator*(double s, const Dual& a) { return {s * a.value, s * a.w, s * a.d}; }
Dual operator*(const Dual& a, const Dual& b) {
  return {a.value * b.value, a.value * b.w + a.w * b.value, a.value * b.d + a.d * b.value};
}

/// α I + β M.
struct BlockFunction {
  Dual alpha, beta;
};
BlockFunction operator+(const BlockFunction& a, const BlockFunction& b) {
  return {a.alpha + b.alpha, a.beta + b.beta};
}
BlockFunction operator-(const BlockFunction& a, const BlockFunction& b) {
  return {a.alpha - b.alpha, a.beta - b.beta};
}
BlockFunction operator*(double s, const BlockFunction& a) { return {s * a.alpha, s * a.beta}; }

/// Of a block with these rates.
struct BlockAlgebra {
  Dual square, decay;  ///< w² and d
  BlockAlgebra(double w, double d) : square{w * w, 2 * w, 0}, decay{d, 0, 1} {}

  BlockFunction product(const BlockFunction& a, const BlockFunction& b) const {
    const Dual both = a.beta * b.beta;
    return {a.alpha * b.alpha - square * both, a.alpha * b.beta + a.beta * b.alpha - decay * both};
  }
};

/// Φ, P₁ and P₂ of a block over a time h.
struct BlockMaps {
  BlockFunction flow, first, second;
};

/// By series for a short time, which is doubled: Φ(2h) = Φ², P₁(2h) = P₁ + Φ P₁, P₂(2h) = 2 P₂ + P₁².
BlockMaps block_maps(double w, double d, double h) {
  const BlockAlgebra algebra(w, d);
  constexpr double short_time = 0.5;  // of ‖M‖ h: the sixteenth term is below ε/10
  constexpr int terms = 16;
  const double size = h * (std::abs(w) + std::abs(d));
  const int doublings = size > short_time && std::isfinite(size)
                            ? static_cast<int>(std::ceil(std::log2(size / short_time)))
                            : 0;
  const double t = std::ldexp(h, -doublings);
  const BlockFunction generator{{}, {1, 0, 0}};
  BlockFunction power{{1, 0, 0}, {}};  // (tM)^k/k!
  BlockMaps maps{power, t * power, (0.5 * t * t) * power};
  for (int k = 1; k <= terms; ++k) {
    power = (t / k) * algebra.product(generator, power);
    maps.flow = maps.flow + power;
    maps.first = maps.first + (t / (k + 1)) * power;
    maps.second = maps.second + (t * t / ((k + 1) * (k + 2))) * power;
  }
  for (int k = 0; k < doublings; ++k) {
    maps.second = 2 * maps.second + algebra.product(maps.first, maps.first);
    maps.first = maps.first + algebra.product(maps.flow, maps.first);
    maps.flow = algebra.product(maps.flow, maps.flow);
  }
  return maps;
}

/// What a step does with the response and with the input at both ends.
struct BlockStep {
  BlockFunction begin, end;
  Dual own, back, forth, damped;  ///< (α, β) → (own α − back β, forth α + damped β)

  BlockStep(const BlockAlgebra& algebra, const BlockFunction& flow, const BlockFunction& at_begin,
            const BlockFunction& at_end)
      : begin(at_begin),
        end(at_end),
        own(flow.alpha),
        back(algebra.square * flow.beta),
        forth(flow.beta),
        damped(flow.alpha - algebra.decay * flow.beta) {}
};

std::vector<BlockStep> block_steps(double w, double d, const std::vector<double>& lengths) {
  std::vector<BlockStep> steps;
  stop_point(600.0 * static_cast<double>(lengths.size()));
  for (const double h : lengths) {
    const BlockMaps maps = block_maps(w, d, h);
    const BlockFunction end = (1 / h) * maps.second;
    steps.emplace_back(BlockAlgebra(w, d), maps.flow, maps.first - end, end);
  }
  return steps;
}

}  // namespace

std::unique_ptr<const ForcedResponse> ModalForcedPlan::at(const Vector& theta) const {
  return std::make_unique<ModalForcedResponse>(*this, theta);
}

ModalForcedResponse::ModalForcedResponse(const ModalForcedPlan& plan, const Vector& theta)
    : plan_(plan), theta_(theta), c_(plan.structure().observation(theta).matrix()) {
  const InputCourse& input = plan.course();
  const auto inputs = static_cast<std::size_t>(input.inputs());
  for (const auto& block : plan.structure().blocks()) {
    const auto [w, d] = plan.structure().rates(block, theta);
    const std::vector<BlockStep> steps = block_steps(w, d, input.lengths);
    stop_point(20.0 * static_cast<double>(inputs * input.pieces.size()));
    std::vector<Course> found(inputs,
                              {Matrix::Zero(input.samples(), 3), Matrix::Zero(input.samples(), 3)});
    // All inputs side by side: a step waits for the one before it.
    std::vector<BlockFunction> x(inputs);
    Index sample = 1;
    for (std::size_t k = 0; k < input.pieces.size(); ++k) {
      const BlockStep& step = steps[input.pieces[k].which];
      const auto place = static_cast<Index>(k);
      for (std::size_t j = 0; j < inputs; ++j) {
        const auto [alpha, beta] = x[j];
        const auto of = static_cast<Index>(j);
        x[j] = BlockFunction{step.own * alpha - step.back * beta,
                             step.forth * alpha + step.damped * beta} +
               input.begin(of, place) * step.begin + input.end(of, place) * step.end;
        if (!input.pieces[k].to_sample) continue;
        found[j].alpha.row(sample) << x[j].alpha.value, x[j].alpha.w, x[j].alpha.d;
        found[j].beta.row(sample) << x[j].beta.value, x[j].beta.w, x[j].beta.d;
      }
      if (input.pieces[k].to_sample) ++sample;
    }
    std::move(found.begin(), found.end(), std::back_inserter(courses_));
  }
}

Matrix ModalForcedResponse::block_states(std::size_t block, const Matrix& b, int which, Index first,
                                         Index count) const {
  const auto& place = plan_.structure().blocks()[block];
  const auto [w, d] = plan_.structure().rates(place, theta_);
  Matrix result = Matrix::Zero(count, place.size());
  for (Index j = 0; j < b.cols(); ++j) {
    const Course& found = course(block, j);
    const auto alpha = found.alpha.col(which).segment(first, count);
    const auto beta = found.beta.col(which).segment(first, count);
    const auto value = found.beta.col(0).segment(first, count);
    if (!place.pair) {
      // The second state of w = 0, d = s.
      const double entry = b(place.state, j);
      result.col(0) += entry * (alpha - d * beta);
      if (which == 2) result.col(0) -= entry * value;
      continue;
    }
    const double b1 = b(place.state, j), b2 = b(place.state + 1, j);
    result.col(0) += b1 * alpha + (w * b2) * beta;
    result.col(1) += b2 * alpha - (w * b1 + d * b2) * beta;
    if (which == 1) {
      result.col(0) += b2 * value;
      result.col(1) -= b1 * value;
    } else if (which == 2) {
      result.col(1) -= b2 * value;
    }
  }
  return result;
}

Matrix ModalForcedResponse::output_maps(Index first, Index count) const {
  const ModalStructure& structure = plan_.structure();
  const Index l = structure.channels(), n = structure.dimension(), m = plan_.course().inputs();
  Matrix result(count * l, n * m), unit = Matrix::Zero(n, m);
  stop_point(4.0 * static_cast<double>(result.size()));
  for (Index j = 0; j < m; ++j)
    for (std::size_t k = 0; k < structure.blocks().size(); ++k) {
      const auto& block = structure.blocks()[k];
      for (Index i = block.state; i < block.state + block.size(); ++i) {
        unit(i, j) = 1;
        result.col(j * n + i).reshaped(l, count).noalias() =
            c_.middleCols(block.state, block.size()) *
            block_states(k, unit, 0, first, count).transpose();
        unit(i, j) = 0;
      }
    }
  return result;
}

Matrix ModalForcedResponse::states(const Matrix& b) const {
  const ModalStructure& structure = plan_.structure();
  const Index samples = plan_.course().samples();
  Matrix result(structure.dimension(), samples);
  for (std::size_t k = 0; k < structure.blocks().size(); ++k) {
    const auto& block = structure.blocks()[k];
    result.middleRows(block.state, block.size()) = block_states(k, b, 0, 0, samples).transpose();
  }
  return result;
}

Vector ModalForcedResponse::outputs(const Matrix& b) const { return (c_ * states(b)).reshaped(); }

Matrix ModalForcedResponse::output_jacobian(const Matrix& b, Index first, Index count) const {
  const ModalStructure& structure = plan_.structure();
  const Index l = structure.channels(), p = structure.parameters();
  Matrix columns = Matrix::Zero(count * l, p);
  stop_point(4.0 * static_cast<double>(columns.size()));
  for (std::size_t k = 0; k < structure.blocks().size(); ++k) {
    const auto& block = structure.blocks()[k];
    const Index size = block.size(), decay = block.rates + size - 1;
    const Matrix states = block_states(k, b, 0, first, count);
    const Matrix by_w = block_states(k, b, 1, first, count);
    const Matrix by_d = block_states(k, b, 2, first, count);
    for (Index channel = 0, row = 0; channel < l; ++channel) {
      const auto seen = c_.row(channel).segment(block.state, size).transpose();
      const auto of_channel = [&](Index q) {
        return columns.col(q).segment(channel * count, count);
      };
      if (block.pair) of_channel(block.rates).noalias() = by_w * seen;
      if (!structure.lossless()) of_channel(decay).noalias() = by_d * seen;
      if (channel == block.reference) continue;
      for (Index i = 0; i < size; ++i) of_channel(block.rows + size * row + i) = states.col(i);
      ++row;
    }
  }
  return columns.transpose();
}

}  // namespace lgn
