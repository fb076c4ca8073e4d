#include "lgn/identify/sparse/sparse_problem.h"

#include <cmath>

#include "lgn/core/constants_internal.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

/// Rows of a block that a thread must have to be worth waking.
constexpr Index least_rows = 4000;
/// Of the series whose products steer the iteration.
constexpr double rough = 1e-5;

}  // namespace

SparseProblem::SparseProblem(const Dataset& data, std::shared_ptr<const OrderedPattern> pattern,
                             bool offset, WorkerThreads& threads)
    : data_(data),
      pattern_(std::move(pattern)),
      offset_(offset),
      threads_(threads),
      n_(data.dimension()),
      runs_(static_cast<Index>(data.runs().size())),
      groups_(group_runs(data, false)) {
  for (const auto& run : data.runs()) gaps_ = gaps_ || run.states().hasNaN();
}

Vector SparseProblem::start(const Vector& theta) const {
  Vector unknowns = Vector::Zero(this->unknowns());
  unknowns.head(theta.size()) = theta;
  for (Index r = 0; r < runs_; ++r) {
    const Matrix& y = data_.runs()[at(r)].states();
    for (Index i = 0; i < n_; ++i)
      for (Index k = 0; k < y.cols(); ++k)
        if (!Trajectory::missing(y(i, k))) {
          unknowns[first_state() + r * n_ + i] = y(i, k);
          break;
        }
  }
  return unknowns;
}

template <class Scalar>
SparseProblem::BlockOf<Scalar> SparseProblem::gather(const Vector& unknowns,
                                                     const RunGroup& group) const {
  BlockOf<Scalar> block(n_, std::ssize(group.runs));
  for (Index r = 0; r < block.cols(); ++r) {
    const double* from = unknowns.data() + first_state() + group.runs[at(r)] * n_;
    for (Index i = 0; i < n_; ++i)
      block(i, r) = static_cast<Scalar>(from[pattern_->order()[at(i)]]);
  }
  return block;
}

template <class Scalar>
void SparseProblem::scatter(const BlockOf<Scalar>& block, const RunGroup& group,
                            Vector& unknowns) const {
  for (Index r = 0; r < block.cols(); ++r) {
    double* to = unknowns.data() + first_state() + group.runs[at(r)] * n_;
    for (Index i = 0; i < n_; ++i) to[pattern_->order()[at(i)]] = block(i, r);
  }
}

SparseProblem::Misfit SparseProblem::misfit(const Vector& unknowns, const Vector& noise) const {
  Misfit misfit{0, Vector::Zero(this->unknowns()), Vector::Zero(n_), Vector::Zero(n_)};
  const Vector theta = unknowns.head(first_state()), weights = noise.cwiseAbs2().cwiseInverse();
  const auto& order = pattern_->order();
  Vector values = Vector::Zero(pattern_->pattern().entries());
  for (const RunGroup& group : groups_) {
    const SparseFlow<double> flow(pattern_, theta, group.times, threads_);
    const auto pull = [&](Index k, Eigen::Ref<BlockOf<double>> x) {
      threads_.over(n_, least_rows, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
          const Index state = order[at(i)];
          const double rest = offset_ ? unknowns[first_offset() + state] : 0.0;
          double sum = 0;
          for (Index r = 0; r < x.cols(); ++r) {
            const double residual = x(i, r) + rest - sample(group, r, state, k);
            const bool present = !Trajectory::missing(residual);
            x(i, r) = present ? weights[state] * residual : 0.0;
            if (!present) continue;
            misfit.squares[state] += residual * residual;
            misfit.count[state] += 1;
            sum += x(i, r);
          }
          if (offset_) misfit.gradient[first_offset() + state] += sum;
        }
      });
    };
    const auto gradient = flow.gradient(flow.course(gather<double>(unknowns, group)), pull);
    values += gradient.values;
    scatter<double>(gradient.x0, group, misfit.gradient);
  }
  partition().refresh_entries(values);
  misfit.gradient.head(first_state()) = pattern_->generator().pullback(theta, values);
  partition().refresh_parameters(misfit.gradient);
  misfit.value = 0.5 * partition().dot_of_rows(misfit.squares, weights);
  return misfit;
}

double SparseProblem::value(const Vector& unknowns, const Vector& noise) const {
  const Vector theta = unknowns.head(first_state());
  const auto& order = pattern_->order();
  Vector squares = Vector::Zero(n_);
  for (const RunGroup& group : groups_) {
    const SparseFlow<double> flow(pattern_, theta, group.times, threads_);
    flow.states(gather<double>(unknowns, group), [&](Index k, Eigen::Ref<BlockOf<double>> x) {
      threads_.over(n_, least_rows, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
          const Index state = order[at(i)];
          const double rest = offset_ ? unknowns[first_offset() + state] : 0.0;
          for (Index r = 0; r < x.cols(); ++r) {
            const double residual = x(i, r) + rest - sample(group, r, state, k);
            if (!Trajectory::missing(residual)) squares[state] += residual * residual;
          }
        }
      });
    });
  }
  return 0.5 * partition().dot_of_rows(squares, noise.cwiseAbs2().cwiseInverse());
}

SparseProblem::Curvature::Curvature(const SparseProblem& problem, const Vector& unknowns,
                                    const Vector& noise, double kept_bytes)
    : problem_(problem),
      theta_(unknowns.head(problem.first_state())),
      weights_(noise.cwiseAbs2().cwiseInverse()) {
  flows_.reserve(problem.groups_.size());
  const auto own = static_cast<double>(problem.n_);
  kept_bytes *= own / problem.partition().sum(own);
  for (const RunGroup& group : problem.groups_) {
    flows_.emplace_back(problem.pattern_, theta_, group.times, problem.threads_, rough);
    courses_.push_back(flows_.back().course(
        problem.gather<float>(unknowns, group),
        kept_bytes * static_cast<double>(group.runs.size()) / static_cast<double>(problem.runs_)));
  }
}

Vector SparseProblem::Curvature::product(const Vector& change) const {
  const SparseProblem& p = problem_;
  Vector result = Vector::Zero(change.size());
  Vector values = Vector::Zero(p.pattern_->pattern().entries());
  const Vector moved = p.pattern_->generator().pushforward(theta_, change.head(p.first_state()));
  const auto& order = p.pattern_->order();
  for (std::size_t g = 0; g < p.groups_.size(); ++g) {
    const RunGroup& group = p.groups_[g];
    const auto weigh = [&](Index k, Eigen::Ref<BlockOf<float>> x) {
      p.threads_.over(p.n_, least_rows, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
          const Index state = order[at(i)];
          const auto weight = static_cast<float>(weights_[state]);
          const auto rest = static_cast<float>(p.offset_ ? change[p.first_offset() + state] : 0.0);
          double sum = 0;
          for (Index r = 0; r < x.cols(); ++r) {
            const bool present = !p.gaps_ || !Trajectory::missing(p.sample(group, r, state, k));
            x(i, r) = present ? weight * (x(i, r) + rest) : 0.0F;
            sum += static_cast<double>(x(i, r));
          }
          if (p.offset_) result[p.first_offset() + state] += sum;
        }
      });
    };
    const auto product =
        flows_[g].curvature(courses_[g], moved, p.gather<float>(change, group), weigh);
    values += product.values;
    p.scatter<float>(product.x0, group, result);
  }
  p.partition().refresh_entries(values);
  result.head(p.first_state()) = p.pattern_->generator().pullback(theta_, values);
  p.partition().refresh_parameters(result);
  return result;
}

}  // namespace lgn
