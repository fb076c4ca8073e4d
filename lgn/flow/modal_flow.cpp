#include "lgn/flow/modal_flow.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/stop.h"
#include "lgn/flow/block_response_internal.h"
#include "lgn/flow/time_steps.h"

namespace lgn {
namespace {

using namespace modal_blocks;

/// Samples of which responses are kept, and those that are asked about at once.
constexpr Index part_samples = 1024, block_samples = 4096;

/// The same, sample by sample of a block.
struct ResponseCourse {
  Eigen::ArrayXd a, b, c;

  explicit ResponseCourse(Index count) : a(count), b(count), c(count) {}
  void set(Index k, const Response& response) {
    a[k] = response.a;
    b[k] = response.b;
    c[k] = response.c;
  }
  /// Adds what becomes of a state to the two columns of x.
  template <class Columns>
  void add(Columns&& x, double first, double second) const {
    const Index count = x.rows();
    x.col(0).array() += a.head(count) * first;
    if (x.cols() < 2) return;
    x.col(0).array() += b.head(count) * second;
    x.col(1).array() += c.head(count) * second - b.head(count) * first;
  }
};

/// Sums of a course over samples with these weights.
Response summed(const ResponseCourse& course, const Eigen::Ref<const Eigen::ArrayXd>& weights) {
  const Index count = weights.size();
  return {(course.a.head(count) * weights).sum(), (course.b.head(count) * weights).sum(),
          (course.c.head(count) * weights).sum()};
}

/// What a channel that sees the two states with these weights shows of what becomes of a state.
class Sight {
 public:
  Sight(BlockState from, BlockState seen)
      : a_(seen.first * from.first),
        b_(seen.first * from.second - seen.second * from.first),
        c_(seen.second * from.second) {}
  auto operator()(const ResponseCourse& course, Index count) const {
    return a_ * course.a.head(count) + b_ * course.b.head(count) + c_ * course.c.head(count);
  }
  double operator()(const Response& summed) const {
    return a_ * summed.a + b_ * summed.b + c_ * summed.c;
  }

 private:
  double a_, b_, c_;
};

/// Calls f with the samples of a channel among those of all.
template <class F>
void with_channel(Eigen::Ref<Vector> samples, Index channel, Index channels, F f) {
  if (channels == 1) return f(samples.array());
  f(samples(Eigen::seq(channel, Eigen::last, channels)).array());
}

/// Steps that are all equal: their length, else 0.
double common_step(const Vector& times) {
  const TimeSteps steps = find_steps(times);
  return steps.length.size() == 1 ? steps.length.front() : 0.0;
}

}  // namespace

ModalPlan::ModalPlan(const ModalStructure& structure, const Vector& times)
    : structure_(structure), times_(times.array() - times[0]), step_(common_step(times)) {
  if (step_ > 0) step_ = times_[times_.size() - 1] / static_cast<double>(times_.size() - 1);
}

std::unique_ptr<const Flow> ModalPlan::at(const Vector& theta) const {
  return std::make_unique<ModalFlow>(*this, theta);
}

/// Of one block at some times.
struct ModalFlow::Responses {
  double w, d;
  bool pair;
  ResponseCourse value, by_w, by_d;

  Responses(const ModalStructure::Block& block, std::pair<double, double> rates,
            const Eigen::Ref<const Vector>& times)
      : Responses(block, rates, times.size()) {
    for (Index k = 0; k < times.size(); ++k) set(k, at(times[k]));
  }
  /// At 0, h, 2 h, …: of few times, and of what they make together, which takes no exponentials.
  Responses(const ModalStructure::Block& block, std::pair<double, double> rates, double step,
            Index count)
      : Responses(block, rates, count) {
    constexpr Index near = 32;
    std::vector<ResponseWithSlopes> fine;
    for (Index k = 0; k < std::min(near, count); ++k)
      fine.push_back(at(step * static_cast<double>(k)));
    for (Index begin = 0; begin < count; begin += near) {
      const ResponseWithSlopes until = at(step * static_cast<double>(begin));
      for (Index k = 0; k < std::min(near, count - begin); ++k)
        set(begin + k, product(until, fine[static_cast<std::size_t>(k)]));
    }
  }
  ResponseWithSlopes at(double time) const {
    return pair ? pair_response(w, d, time) : single_response(d, time);
  }

 private:
  Responses(const ModalStructure::Block& block, std::pair<double, double> rates, Index count)
      : w(rates.first), d(rates.second), pair(block.pair), value(count), by_w(count), by_d(count) {}

  void set(Index k, const ResponseWithSlopes& response) {
    value.set(k, response.value);
    by_w.set(k, response.by_w);
    by_d.set(k, response.by_d);
  }
};

/// Columns are the states of a block.
struct ModalFlow::Course {
  Matrix states, by_w, by_d;
};

ModalFlow::ModalFlow(const ModalPlan& plan, const Vector& theta)
    : plan_(plan), theta_(theta), observation_(plan.structure().observation(theta)) {
  if (!(plan_.step() > 0)) return;
  const Index count = std::min(part_samples, samples());
  responses_.reserve(plan_.structure().blocks().size());
  for (const auto& block : plan_.structure().blocks()) {
    stop_point(20.0 * static_cast<double>(count));
    responses_.emplace_back(block, plan_.structure().rates(block, theta), plan_.step(), count);
  }
}

ModalFlow::~ModalFlow() = default;

Index ModalFlow::block() const { return std::min(block_samples, samples()); }

template <class F>
void ModalFlow::in_parts(const ModalStructure::Block& block, Index first, Index count, F f) const {
  for (Index begin = 0; begin < count; begin += part_samples) {
    const Index many = std::min(part_samples, count - begin);
    if (plan_.step() > 0) {
      const Responses& responses = responses_[static_cast<std::size_t>(block.state / 2)];
      f(begin, many, responses, responses.at(plan_.times()[first + begin]));
      continue;
    }
    const Responses responses(block, plan_.structure().rates(block, theta_),
                              plan_.times().segment(first + begin, many));
    f(begin, many, responses, at_once);
  }
}

ModalFlow::Course ModalFlow::course(const ModalStructure::Block& block, const Vector& x0,
                                    Index first, Index count) const {
  const Index size = block.size();
  Course result{Matrix::Zero(count, size), Matrix::Zero(count, size), Matrix::Zero(count, size)};
  const BlockState from = block_state(x0);
  in_parts(block, first, count,
           [&](Index begin, Index many, const Responses& responses, const auto& until) {
             const auto add = [&](const ResponseCourse& course, BlockState x, Matrix& to) {
               course.add(to.middleRows(begin, many), x.first, x.second);
             };
             const BlockState x = until.value.moved(from);
             add(responses.value, x, result.states);
             add(responses.by_w, x, result.by_w);
             add(responses.value, until.by_w.moved(from), result.by_w);
             add(responses.by_d, x, result.by_d);
             add(responses.value, until.by_d.moved(from), result.by_d);
           });
  return result;
}

Matrix ModalFlow::block_states(const ModalStructure::Block& block, const Vector& x0, Index first,
                               Index count) const {
  Matrix result = Matrix::Zero(count, block.size());
  in_parts(block, first, count,
           [&](Index begin, Index many, const Responses& responses, const auto& until) {
             const BlockState x = until.value.moved(block_state(x0));
             responses.value.add(result.middleRows(begin, many), x.first, x.second);
           });
  return result;
}

Matrix ModalFlow::states(const Matrix& x0) const {
  const Index n = plan_.structure().dimension(), count = samples();
  Matrix result(count * n, x0.cols());
  for (Index r = 0; r < x0.cols(); ++r)
    for (const auto& block : plan_.structure().blocks())
      result.col(r).reshaped(n, count).middleRows(block.state, block.size()) =
          block_states(block, x0.col(r).segment(block.state, block.size()), 0, count).transpose();
  return result;
}

Matrix ModalFlow::maps() const {
  const Index n = plan_.structure().dimension();
  return states(Matrix::Identity(n, n));
}

Matrix ModalFlow::jacobian(const Matrix& x0) const {
  const ModalStructure& structure = plan_.structure();
  const Index n = structure.dimension(), p = structure.parameters(), count = samples();
  Matrix result = Matrix::Zero(p * x0.cols(), count * n);
  for (Index r = 0; r < x0.cols(); ++r)
    for (const auto& block : structure.blocks()) {
      const Course found = course(block, x0.col(r).segment(block.state, block.size()), 0, count);
      for (Index i = 0; i < block.size(); ++i) {
        const auto columns = [&](Index q) {
          return result.row(r * p + block.rates + q).segment((block.state + i) * count, count);
        };
        if (block.pair) columns(0) = found.by_w.col(i).transpose();
        if (!structure.lossless()) columns(block.size() - 1) = found.by_d.col(i).transpose();
      }
    }
  return result;
}

Matrix ModalFlow::tangent(const Vector& delta, const Matrix& x0) const {
  const Index n = plan_.structure().dimension(), p = delta.size(), count = samples();
  const Matrix slopes = jacobian(x0);
  Matrix result(count * n, x0.cols());
  for (Index r = 0; r < x0.cols(); ++r)
    result.col(r).reshaped(n, count) =
        (slopes.middleRows(r * p, p).transpose() * delta).reshaped(count, n).transpose();
  return result;
}

Flow::Gradient ModalFlow::adjoint(const Matrix& states, const Matrix& pull) const {
  const Index n = plan_.structure().dimension(), p = theta_.size(), count = samples();
  const Matrix slopes = jacobian(states.topRows(n));
  Gradient result{Vector::Zero(p), adjoint_x0(pull)};
  for (Index r = 0; r < pull.cols(); ++r)
    result.theta +=
        slopes.middleRows(r * p, p) * pull.col(r).reshaped(n, count).transpose().reshaped();
  return result;
}

Matrix ModalFlow::adjoint_x0(const Matrix& pull) const { return maps().transpose() * pull; }

Matrix ModalFlow::outputs(const Matrix& x0) const {
  const ModalStructure& structure = plan_.structure();
  const Index l = structure.channels(), count = samples();
  const Matrix c = observation_.matrix();
  Matrix result = Matrix::Zero(count * l, x0.cols());
  for (Index r = 0; r < x0.cols(); ++r)
    for (const auto& block : structure.blocks()) {
      const BlockState from = block_state(x0.col(r).segment(block.state, block.size()));
      in_parts(block, 0, count,
               [&](Index begin, Index many, const Responses& responses, const auto& until) {
                 stop_point(4.0 * static_cast<double>(many * l));
                 const BlockState x = until.value.moved(from);
                 for (Index channel = 0; channel < l; ++channel) {
                   const Sight sight(
                       x, block_state(c.row(channel).segment(block.state, block.size())));
                   with_channel(result.col(r).segment(begin * l, many * l), channel, l,
                                [&](auto samples) { samples += sight(responses.value, many); });
                 }
               });
    }
  return result;
}

Matrix ModalFlow::output_maps(Index first, Index count) const {
  const ModalStructure& structure = plan_.structure();
  const Index l = structure.channels(), n = structure.dimension();
  const Matrix c = observation_.matrix();
  Matrix result(count * l, n);
  stop_point(4.0 * static_cast<double>(result.size()));
  for (const auto& block : structure.blocks())
    in_parts(block, first, count,
             [&](Index begin, Index many, const Responses& responses, const auto& until) {
               for (Index i = 0; i < block.size(); ++i) {
                 const BlockState x = until.value.moved({i == 0 ? 1.0 : 0.0, i == 0 ? 0.0 : 1.0});
                 for (Index channel = 0; channel < l; ++channel) {
                   const Sight sight(
                       x, block_state(c.row(channel).segment(block.state, block.size())));
                   with_channel(result.col(block.state + i).segment(begin * l, many * l), channel,
                                l, [&](auto samples) { samples = sight(responses.value, many); });
                 }
               }
             });
  return result;
}

Matrix ModalFlow::output_jacobian(const Matrix& x0, Index first, Index count) const {
  const ModalStructure& structure = plan_.structure();
  const Index l = structure.channels(), p = structure.parameters();
  const Matrix c = observation_.matrix();
  // What a channel sees of the states is no matter of the others.
  Matrix result(p * x0.cols(), count * l), columns = Matrix::Zero(count * l, p);
  stop_point(4.0 * static_cast<double>(result.size()));
  for (Index r = 0; r < x0.cols(); ++r) {
    for (const auto& block : structure.blocks()) {
      const Index size = block.size(), decay = block.rates + size - 1;
      const BlockState from = block_state(x0.col(r).segment(block.state, size));
      in_parts(block, first, count,
               [&](Index begin, Index many, const Responses& responses, const auto& until) {
                 const BlockState x = until.value.moved(from), by_w = until.by_w.moved(from),
                                  by_d = until.by_d.moved(from);
                 for (Index channel = 0, row = 0; channel < l; ++channel) {
                   const BlockState seen = block_state(c.row(channel).segment(block.state, size));
                   const auto samples = [&](Index q) {
                     return columns.col(q).segment(channel * count + begin, many).array();
                   };
                   const Sight here(x, seen);
                   if (block.pair)
                     samples(block.rates) =
                         here(responses.by_w, many) + Sight(by_w, seen)(responses.value, many);
                   if (!structure.lossless())
                     samples(decay) =
                         here(responses.by_d, many) + Sight(by_d, seen)(responses.value, many);
                   if (channel == block.reference) continue;
                   for (Index i = 0; i < size; ++i)
                     samples(block.rows + size * row + i) =
                         Sight(x, {i == 0 ? 1.0 : 0.0, i == 0 ? 0.0 : 1.0})(responses.value, many);
                   ++row;
                 }
               });
    }
    result.middleRows(r * p, p) = columns.transpose();
  }
  return result;
}

Vector ModalFlow::output_adjoint(const Vector& x0, const Matrix& pull) const {
  const ModalStructure& structure = plan_.structure();
  const Index l = structure.channels();
  const Matrix c = observation_.matrix(), weights = pull.transpose();
  Vector result = Vector::Zero(structure.parameters());
  for (const auto& block : structure.blocks()) {
    const Index size = block.size(), decay = block.rates + size - 1;
    const BlockState from = block_state(x0.segment(block.state, size));
    in_parts(block, 0, samples(),
             [&](Index begin, Index many, const Responses& responses, const auto& until) {
               stop_point(4.0 * static_cast<double>(many * l));
               const BlockState x = until.value.moved(from), by_w = until.by_w.moved(from),
                                by_d = until.by_d.moved(from);
               for (Index channel = 0, row = 0; channel < l; ++channel) {
                 const BlockState seen = block_state(c.row(channel).segment(block.state, size));
                 const auto part = weights.col(channel).segment(begin, many).array();
                 const Response value = summed(responses.value, part);
                 const Sight here(x, seen);
                 if (block.pair)
                   result[block.rates] +=
                       here(summed(responses.by_w, part)) + Sight(by_w, seen)(value);
                 if (!structure.lossless())
                   result[decay] += here(summed(responses.by_d, part)) + Sight(by_d, seen)(value);
                 if (channel == block.reference) continue;
                 for (Index i = 0; i < size; ++i)
                   result[block.rows + size * row + i] +=
                       Sight(x, {i == 0 ? 1.0 : 0.0, i == 0 ? 0.0 : 1.0})(value);
                 ++row;
               }
             });
  }
  return result;
}

}  // namespace lgn
