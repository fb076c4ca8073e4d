#include "lgn/identify/nonlinear/law_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Matrix damped(const Matrix& h, double damping) {
  Matrix result = h;
  // Directions that no sample shows are left where they are.
  const double least = 1e-14 * h.diagonal().maxCoeff() + 1e-300;
  for (Index i = 0; i < h.rows(); ++i) result(i, i) += damping * h(i, i) + least;
  return result;
}

/// The quadratic model of θ and initial states: these meet θ alone, so that a step eliminates them run by run. O(runs n p² + p³).
class ArrowModel final : public QuadraticModel {
 public:
  ArrowModel(LawProblem::Normal normal, Index parameters)
      : normal_(std::move(normal)), p_(parameters) {}

  Vector step(const Vector& x, const Vector& lower, double damping) const override {
    const LawInformation rest = eliminate_starts(normal_, damping);
    Vector result(x.size());
    if (p_ > 0)
      result.head(p_) = DenseModel(std::make_shared<const Matrix>(rest.matrix), rest.gradient)
                            .step(x.head(p_), lower.head(p_), damping);
    Index at = p_;
    for (std::size_t r = 0; r < normal_.starts.size(); ++r) {
      Vector right = normal_.gradients[r];
      if (p_ > 0) right += normal_.mixed[r] * result.head(p_);
      result.segment(at, right.size()) = -solve_definite(damped(normal_.starts[r], damping), right);
      at += right.size();
    }
    return result;
  }

  double fall(const Vector& s) const override {
    const auto theta = s.head(p_);
    double result = -2 * normal_.theta_gradient.dot(theta) - theta.dot(normal_.theta * theta);
    Index at = p_;
    for (std::size_t r = 0; r < normal_.starts.size(); ++r) {
      const Vector start = s.segment(at, normal_.gradients[r].size());
      result -= 2 * normal_.gradients[r].dot(start) + start.dot(normal_.starts[r] * start);
      if (p_ > 0) result -= 2 * start.dot(normal_.mixed[r] * theta);
      at += start.size();
    }
    return result;
  }

 private:
  LawProblem::Normal normal_;
  Index p_;
};

}  // namespace

LawProblem::LawProblem(const Dataset& data, const NonlinearStructure& structure,
                       const Vector& noise, const Vector& scales, double longest,
                       const InputTiming& timing)
    : structure_(structure), noise_(noise), scales_(scales) {
  for (const auto& run : data.runs()) {
    const auto missing = run.states().array().isNaN();
    const Matrix present = missing.select(0.0, Matrix::Ones(run.states().rows(), run.samples()));
    runs_.push_back(
        {missing.select(0.0, run.states()), present, present,
         CollocationFlow(structure.inputs() > 0 ? input_course(run.times(), run.inputs(), timing)
                                                : no_inputs(run.times()),
                         longest)});
    values_ += present.sum();
  }
}

void LawProblem::weigh(const Vector& noise, const std::vector<Matrix>& factors) {
  noise_ = noise;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    Run& run = runs_[r];
    run.weight = factors.empty() ? run.present : run.present.cwiseProduct(factors[r].cwiseSqrt());
  }
}

Matrix LawProblem::deviations(const Point& point, Index run) const {
  const Run& samples = runs_[static_cast<std::size_t>(run)];
  const Matrix& states = point.paths[static_cast<std::size_t>(run)].states;
  Matrix result = samples.samples - states.topRows(samples.samples.rows());
  if (point.offset.size() > 0) result.colwise() -= point.offset;
  return result.cwiseProduct(samples.present);
}

Matrix LawProblem::residuals(const Point& point, Index run) const {
  return noise_.cwiseInverse().asDiagonal() *
         deviations(point, run).cwiseProduct(runs_[static_cast<std::size_t>(run)].weight);
}

LawProblem::Point LawProblem::at(const Vector& theta, const Matrix& starts,
                                 const Vector& offset) const {
  Point point{theta, starts, offset, 0, {}};
  const NonlinearField field(structure_, theta);
  for (Index r = 0; r < runs(); ++r) {
    point.paths.push_back(runs_[static_cast<std::size_t>(r)].flow.path(field, starts.col(r)));
    const double cost = point.paths.back().finite ? residuals(point, r).squaredNorm() : infinite;
    point.cost += std::isfinite(cost) ? cost : infinite;
    if (!std::isfinite(point.cost)) return point;
  }
  for (Index k = 0; k < theta.size(); ++k)
    if (structure_.parameter_list()[static_cast<std::size_t>(k)].scale)
      point.cost += std::pow(std::log(theta[k] / scales_[k]), 2);
  return point;
}

Matrix LawProblem::weighted_jacobian(const Point& point, const NonlinearField& field,
                                     Index run) const {
  const Run& samples = runs_[static_cast<std::size_t>(run)];
  const Matrix slopes =
      samples.flow.sensitivities(field, point.paths[static_cast<std::size_t>(run)]);
  const Index n = structure_.dimension(), l = samples.samples.rows(), k = samples.samples.cols(),
              shared = point.offset.size();
  Matrix result = Matrix::Zero(slopes.rows(), slopes.cols() + shared);
  for (Index at = 0; at < k; ++at)
    for (Index c = 0; c < l; ++c) {
      const double weight = samples.weight(c, at) / noise_[c];
      result.row(at * n + c).head(slopes.cols()) = weight * slopes.row(at * n + c);
      if (shared > 0) result(at * n + c, slopes.cols() + c) = weight;
    }
  return result;
}

LawProblem::Normal LawProblem::linearise(const Point& point,
                                         const std::vector<Index>& moving) const {
  const NonlinearField field(structure_, point.theta, moving);
  const Index n = structure_.dimension(), known = field.parameters(),
              p = known + point.offset.size();
  Normal normal{Matrix::Zero(p, p), Vector::Zero(p), {}, {}, {}};
  for (Index r = 0; r < runs(); ++r) {
    const Matrix jacobian = weighted_jacobian(point, field, r);
    Matrix missed = Matrix::Zero(n, jacobian.rows() / n);
    const Matrix left = residuals(point, r);
    missed.topRows(left.rows()) = -left;
    const auto residual = missed.reshaped();
    const auto starts = jacobian.leftCols(n);
    const auto parameters = jacobian.rightCols(p);
    normal.starts.emplace_back(starts.transpose() * starts);
    normal.mixed.emplace_back(starts.transpose() * parameters);
    normal.gradients.emplace_back(starts.transpose() * residual);
    normal.theta.noalias() += parameters.transpose() * parameters;
    normal.theta_gradient += parameters.transpose() * residual;
  }
  for (Index k = 0; k < known; ++k) {
    const Index at = moving[static_cast<std::size_t>(k)];
    if (!structure_.parameter_list()[static_cast<std::size_t>(at)].scale) continue;
    const double q = point.theta[at];
    normal.theta(k, k) += 1 / (q * q);
    normal.theta_gradient[k] += std::log(q / scales_[at]) / q;
  }
  return normal;
}

WeightedResiduals LawProblem::weighted_residuals(const Point& point,
                                                 const std::vector<Index>& moving,
                                                 const Normal& normal) const {
  WeightedResiduals result;
  for (Index r = 0; r < runs(); ++r) result.residuals.push_back(residuals(point, r));
  result.jacobian = [this, &point, &normal, moving](Index r) {
    const Index n = structure_.dimension();
    const Matrix jacobian = weighted_jacobian(point, {structure_, point.theta, moving}, r);
    const auto at = static_cast<std::size_t>(r);
    const Matrix projected =
        jacobian.rightCols(jacobian.cols() - n) -
        jacobian.leftCols(n) * solve_definite(damped(normal.starts[at], 0), normal.mixed[at]);
    const Index l = noise_.size(), samples = jacobian.rows() / n;
    Matrix by_channel(projected.cols(), l * samples);
    for (Index c = 0; c < l; ++c)
      for (Index k = 0; k < samples; ++k)
        by_channel.col(c * samples + k) = projected.row(k * n + c).transpose();
    return by_channel;
  };
  return result;
}

LawInformation eliminate_last(const LawInformation& all, Index count) {
  if (count == 0) return all;
  const Index kept = all.gradient.size() - count;
  const Matrix inner = damped(all.matrix.bottomRightCorner(count, count), 0),
               mixed = all.matrix.topRightCorner(kept, count);
  return {all.matrix.topLeftCorner(kept, kept) - mixed * solve_definite(inner, mixed.transpose()),
          all.gradient.head(kept) - mixed * solve_definite(inner, all.gradient.tail(count))};
}

LawInformation eliminate_starts(const LawProblem::Normal& normal, double damping) {
  LawInformation result{normal.theta, normal.theta_gradient};
  for (std::size_t r = 0; r < normal.starts.size(); ++r) {
    const Matrix l = cholesky(damped(normal.starts[r], damping));
    const Matrix mixed = solve_lower(l, normal.mixed[r]);
    const Vector gradient = solve_lower(l, normal.gradients[r]);
    result.matrix.noalias() -= mixed.transpose() * mixed;
    result.gradient -= mixed.transpose() * gradient;
  }
  return result;
}

namespace {

/// A search as numbers: where it stands, the work so far, and how it ended, −1 while it has not.
struct KeptSearch {
  GaussNewtonState state;
  double work = 0;
  int ending = -1;

  Vector pack() const {
    Vector packed(state.x.size() + 4);
    packed << state.x, state.damping, static_cast<double>(state.iterations), work,
        static_cast<double>(ending);
    return packed;
  }
};

/// What the memory holds of a search for so many unknowns, if it does.
std::optional<KeptSearch> recall(const SearchMemory& memory, Index unknowns) {
  Vector packed;
  if (memory.checkpoint == nullptr || !memory.checkpoint->restore(memory.name, packed)) return {};
  if (packed.size() != unknowns + 4)
    throw Error("the checkpoint holds a search for other parameters",
                "remove it, or continue with the structure and the data that it was made with");
  const Vector rest = packed.tail(4);
  return KeptSearch{{packed.head(unknowns), rest[0], static_cast<int>(rest[1])},
                    rest[2],
                    static_cast<int>(rest[3])};
}

/// The search from there, kept after every step and where it ends, or as it was kept.
GaussNewtonResult minimize_and_keep(const SumOfSquares& squares, const GaussNewtonState& start,
                                    GaussNewtonOptions options, const SearchMemory& memory) {
  using Ending = GaussNewtonResult::Ending;
  if (memory.checkpoint == nullptr) return minimize_gauss_newton(squares, start, options);
  const auto kept = recall(memory, start.x.size());
  if (kept) resume_work(kept->work);
  if (kept && kept->ending >= 0) return {kept->state, 0, static_cast<Ending>(kept->ending)};
  options.observe = [&memory, observe = options.observe](const GaussNewtonState& state,
                                                         double cost) {
    memory.checkpoint->keep(memory.name, KeptSearch{state, work_done()}.pack());
    return !observe || observe(state, cost);
  };
  GaussNewtonResult found = minimize_gauss_newton(squares, kept ? kept->state : start, options);
  if (found.ending != Ending::stopped)
    memory.checkpoint->keep(
        memory.name, KeptSearch{found.state, work_done(), static_cast<int>(found.ending)}.pack());
  return found;
}

}  // namespace

LawSearch search_law(const LawProblem& problem, const Vector& theta, const Matrix& starts,
                     const std::vector<Index>& moving, const Vector& lower,
                     const GaussNewtonOptions& options, const Vector& offset,
                     const SearchMemory& memory) {
  const auto known = static_cast<Index>(moving.size());
  const Index p = known + offset.size();
  LawProblem::Point last;
  Vector at_last;
  const auto evaluate = [&](const Vector& x) -> const LawProblem::Point& {
    if (at_last.size() == x.size() && at_last == x) return last;
    Vector all = theta;
    for (Index k = 0; k < known; ++k) all[moving[static_cast<std::size_t>(k)]] = x[k];
    last = problem.at(all, x.tail(starts.size()).reshaped(starts.rows(), starts.cols()),
                      x.segment(known, offset.size()));
    at_last = x;
    return last;
  };
  SumOfSquares squares;
  squares.lower = Vector::Constant(p + starts.size(), -infinite);
  GaussNewtonState state;
  state.x.resize(p + starts.size());
  state.x.segment(known, offset.size()) = offset;
  for (Index k = 0; k < known; ++k) {
    squares.lower[k] = lower[moving[static_cast<std::size_t>(k)]];
    state.x[k] = theta[moving[static_cast<std::size_t>(k)]];
  }
  state.x.tail(starts.size()) = starts.reshaped();
  squares.freedom = std::max(1.0, problem.values() - static_cast<double>(state.x.size()));
  squares.cost = [&](const Vector& x) { return evaluate(x).cost; };
  squares.model = [&](const Vector& x) -> std::unique_ptr<QuadraticModel> {
    return std::make_unique<ArrowModel>(problem.linearise(evaluate(x), moving), p);
  };
  LawSearch result;
  state.x.head(p) = state.x.head(p).cwiseMax(squares.lower.head(p));
  // Where no trajectory gets to its end there is no slope to follow.
  if (!std::isfinite(evaluate(state.x).cost)) {
    result.point = last;
    return result;
  }
  const GaussNewtonResult found = minimize_and_keep(squares, state, options, memory);
  result.point = to_the_end([&] { return evaluate(found.state.x); });
  result.iterations = found.state.iterations;
  result.converged = found.converged();
  result.stopped = found.ending == GaussNewtonResult::Ending::stopped;
  return result;
}

}  // namespace lgn
