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

/// α and β alone.
struct BlockValue {
  double alpha = 0, beta = 0;
};
struct ValueStep {
  BlockValue begin, end;
  double own, back, forth, damped;

  explicit ValueStep(const BlockStep& step)
      : begin{step.begin.alpha.value, step.begin.beta.value},
        end{step.end.alpha.value, step.end.beta.value},
        own(step.own.value),
        back(step.back.value),
        forth(step.forth.value),
        damped(step.damped.value) {}
};

BlockFunction moved(const BlockStep& step, const BlockFunction& x, double begin, double end) {
  return BlockFunction{step.own * x.alpha - step.back * x.beta,
                       step.forth * x.alpha + step.damped * x.beta} +
         begin * step.begin + end * step.end;
}
BlockValue moved(const ValueStep& step, const BlockValue& x, double begin, double end) {
  return {
      step.own * x.alpha - step.back * x.beta + begin * step.begin.alpha + end * step.end.alpha,
      step.forth * x.alpha + step.damped * x.beta + begin * step.begin.beta + end * step.end.beta};
}

template <class Course>
void keep(const BlockFunction& x, Index sample, Course& course) {
  course.alpha.row(sample) << x.alpha.value, x.alpha.w, x.alpha.d;
  course.beta.row(sample) << x.beta.value, x.beta.w, x.beta.d;
}
template <class Course>
void keep(const BlockValue& x, Index sample, Course& course) {
  course.alpha(sample, 0) = x.alpha;
  course.beta(sample, 0) = x.beta;
}

/// Through all pieces, from rest: what is found at the samples.
template <class Step, class State, class Course>
void step_through(const InputCourse& input, const std::vector<Step>& steps, std::vector<State> x,
                  std::vector<Course>& found) {
  Index sample = 1;
  for (std::size_t k = 0; k < input.pieces.size(); ++k) {
    const Step& step = steps[input.pieces[k].which];
    const auto place = static_cast<Index>(k);
    // All inputs side by side: a step waits for the one before it.
    for (std::size_t j = 0; j < x.size(); ++j) {
      const auto of = static_cast<Index>(j);
      x[j] = moved(step, x[j], input.begin(of, place), input.end(of, place));
      if (input.pieces[k].to_sample) keep(x[j], sample, found[j]);
    }
    if (input.pieces[k].to_sample) ++sample;
  }
}

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
    : plan_(plan),
      theta_(theta),
      c_(plan.structure().observation(theta).matrix()),
      courses_(courses(false)) {}

std::vector<ModalForcedResponse::Course> ModalForcedResponse::courses(bool with_slopes) const {
  const InputCourse& input = plan_.course();
  const auto inputs = static_cast<std::size_t>(input.inputs());
  std::vector<Course> result;
  for (const auto& block : plan_.structure().blocks()) {
    const auto [w, d] = plan_.structure().rates(block, theta_);
    const std::vector<BlockStep> steps = block_steps(w, d, input.lengths);
    stop_point((with_slopes ? 20.0 : 7.0) * static_cast<double>(inputs * input.pieces.size()));
    const Index columns = with_slopes ? 3 : 1;
    std::vector<Course> found(
        inputs, {Matrix::Zero(input.samples(), columns), Matrix::Zero(input.samples(), columns)});
    if (with_slopes)
      step_through(input, steps, std::vector<BlockFunction>(inputs), found);
    else
      step_through(input, std::vector<ValueStep>(steps.begin(), steps.end()),
                   std::vector<BlockValue>(inputs), found);
    std::move(found.begin(), found.end(), std::back_inserter(result));
  }
  return result;
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
  if (!courses_.empty() && courses_.front().alpha.cols() == 1) courses_ = courses(true);
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
