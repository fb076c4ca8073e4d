#include "lgn/flow/sampled_flow.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "lgn/core/balanced_norm.h"
#include "lgn/core/stop.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/taylor_action.h"
#include "lgn/flow/uniform_flow.h"

namespace lgn {
namespace {

/// Up to this many distinct steps, each gets its exponential; and always where the series would
/// need many substeps.
constexpr std::size_t few_steps = 8;
constexpr double stiff_length = 30;

/// About as many nanoseconds as a product of an n × n matrix with so many columns takes, as stop_point() counts.
double sampled_work(Index n, Index columns) {
  return 0.5 * static_cast<double>(n * n) * static_cast<double>(columns) + 50;
}

/// States of all samples below one another, one column per run, as columns: all runs at t_0 first.
Matrix by_time(const Matrix& states, Index n) {
  const Index runs = states.cols(), samples = states.rows() / n;
  Matrix result(n, samples * runs);
  for (Index r = 0; r < runs; ++r)
    for (Index k = 0; k < samples; ++k) result.col(k * runs + r) = states.col(r).segment(k * n, n);
  return result;
}

/// And back.
Matrix by_run(const Matrix& states, Index runs) {
  const Index n = states.rows(), samples = states.cols() / runs;
  Matrix result(samples * n, runs);
  for (Index r = 0; r < runs; ++r)
    for (Index k = 0; k < samples; ++k) result.col(r).segment(k * n, n) = states.col(k * runs + r);
  return result;
}

}  // namespace

/// X (n × m) and, where there are directions, ∂X (n × mp, column r p + q) on their way.
struct SampledFlow::Walker {
  Matrix states;
  Matrix derivatives = {};
  const Matrix* directions = nullptr;
  std::function<void(Index k)> visit = {};
  Matrix moved = {}, next = {}, next_derivatives = {};  ///< kept from step to step

  Index parameters() const { return directions ? directions->rows() / states.rows() : 0; }

  /// ∂Y ← map ∂X + (∂_q map) X, with ∂_1 map, ∂_2 map … below one another.
  void move_derivatives(const Matrix& map, const Matrix& map_derivatives, const Matrix& from,
                        const Matrix& derivatives_from) {
    moved.noalias() = map_derivatives * from;
    next_derivatives.noalias() = map * derivatives_from;
    next_derivatives += moved.reshaped(from.rows(), derivatives_from.cols());
  }

  void advance(const Matrix& map, const Matrix& map_derivatives) {
    if (directions != nullptr) {
      move_derivatives(map, map_derivatives, states, derivatives);
      derivatives.swap(next_derivatives);
    }
    next.noalias() = map * states;
    states.swap(next);
  }

  void advance(const Matrix& a, const TaylorAction& series) {
    if (directions == nullptr) return series.advance(a, states);
    for (int s = 0; s < series.substeps; ++s) {
      Matrix term = states, derivative_term = derivatives;
      for (int j = 1; j <= series.terms; ++j) {
        const double factor = series.h / j;
        move_derivatives(a, *directions, term, derivative_term);
        derivative_term = factor * next_derivatives;
        derivatives += derivative_term;
        next.noalias() = a * term;
        term = factor * next;
        states += term;
      }
    }
  }
};

SampledFlow::SampledFlow(const Matrix& a, double step, Index samples)
    : a_(a), samples_(samples), uniform_(std::make_unique<const UniformFlow>(a_, step, samples)) {}

SampledFlow::SampledFlow(const Matrix& a, const TimeSteps& steps)
    : a_(a), samples_(static_cast<Index>(steps.which.size()) + 1) {
  if (steps.length.size() == 1) {
    uniform_ = std::make_unique<const UniformFlow>(a_, steps.length.front(), samples());
    return;
  }
  steps_ = steps;
  const double norm = balanced_norm(a_);
  const double longest = *std::max_element(steps.length.begin(), steps.length.end());
  if (steps.length.size() > few_steps && longest * norm <= stiff_length) {
    for (const double length : steps.length) series_.emplace_back(length, norm);
  } else {
    for (const double length : steps.length) exponentials_.emplace_back(length * a_);
  }
}

SampledFlow::~SampledFlow() = default;

double SampledFlow::products(std::size_t step) const {
  return exponentials_.empty() ? series_[step].substeps * series_[step].terms : 1;
}

void SampledFlow::walk(Walker& walker) const {
  const Index n = a_.rows(), p = walker.parameters();
  std::vector<Matrix> map_derivatives(exponentials_.size());
  for (std::size_t s = 0; s < exponentials_.size() && p > 0; ++s) {
    map_derivatives[s].resize(p * n, n);
    for (Index q = 0; q < p; ++q) {
      stop_point(sampled_work(n, 10 * n));
      map_derivatives[s].middleRows(q * n, n) =
          exponentials_[s].derivative(steps_.length[s] * walker.directions->middleRows(q * n, n));
    }
  }
  walker.visit(0);
  const Index columns = walker.states.cols() * (1 + 2 * p);
  for (std::size_t k = 0; k < steps_.which.size(); ++k) {
    const std::size_t s = steps_.which[k];
    stop_point(products(s) * sampled_work(n, columns));
    if (exponentials_.empty())
      walker.advance(a_, series_[s]);
    else
      walker.advance(exponentials_[s].value(), map_derivatives[s]);
    walker.visit(static_cast<Index>(k) + 1);
  }
}

Matrix SampledFlow::maps() const {
  return uniform_ ? uniform_->maps() : states(Matrix::Identity(a_.rows(), a_.rows()));
}

Matrix SampledFlow::states(const Matrix& starts) const {
  if (uniform_) return by_run(uniform_->states(starts), starts.cols());
  const Index n = a_.rows();
  Matrix result(samples() * n, starts.cols());
  Walker walker{.states = starts};
  walker.visit = [&](Index k) { result.middleRows(k * n, n) = walker.states; };
  walk(walker);
  return result;
}

Matrix SampledFlow::derivative(const Matrix& e, const Matrix& starts) const {
  const Index n = a_.rows();
  if (uniform_) return by_run(uniform_->derivative(e, uniform_->states(starts)), starts.cols());
  Matrix result(samples() * n, starts.cols());
  Walker walker{.states = starts, .derivatives = Matrix::Zero(n, starts.cols()), .directions = &e};
  walker.visit = [&](Index k) { result.middleRows(k * n, n) = walker.derivatives; };
  walk(walker);
  return result;
}

Matrix SampledFlow::transposed_derivatives(const Matrix& directions, const Matrix& starts) const {
  if (uniform_) return uniform_->derivatives(directions, uniform_->states(starts));
  const Index n = a_.rows(), rows = directions.rows() / n * starts.cols();
  Matrix result(rows, samples() * n);
  Walker walker{.states = starts, .derivatives = Matrix::Zero(n, rows), .directions = &directions};
  walker.visit = [&](Index k) {
    for (Index i = 0; i < n; ++i)
      result.col(i * samples() + k) = walker.derivatives.row(i).transpose();
  };
  walk(walker);
  return result;
}

SampledFlow::Pulled SampledFlow::adjoint(const Matrix& states, const Matrix& pull) const {
  if (uniform_) {
    auto [generator, starts] =
        uniform_->adjoint(by_time(states, a_.rows()), by_time(pull, a_.rows()));
    return {std::move(generator), std::move(starts)};
  }
  return exponentials_.empty() ? adjoint_by_series(states, pull) : adjoint_by_maps(states, pull);
}

Matrix SampledFlow::adjoint_starts(const Matrix& pull) const {
  if (uniform_) return uniform_->adjoint_starts(by_time(pull, a_.rows()));
  const Index n = a_.rows(), last = samples() - 1;
  Matrix adjoint = pull.middleRows(last * n, n), next;
  for (Index k = last; k > 0; --k) {
    const std::size_t s = steps_.which[static_cast<std::size_t>(k - 1)];
    stop_point(products(s) * sampled_work(n, pull.cols()));
    if (exponentials_.empty()) {
      series_[s].advance(a_.transpose(), adjoint);
    } else {
      next.noalias() = exponentials_[s].value().transpose() * adjoint;
      adjoint.swap(next);
    }
    adjoint += pull.middleRows((k - 1) * n, n);
  }
  return adjoint;
}

SampledFlow::Pulled SampledFlow::adjoint_by_maps(const Matrix& states, const Matrix& pull) const {
  const Index n = a_.rows(), last = samples() - 1;
  std::vector<Matrix> map_pull(exponentials_.size(), Matrix::Zero(n, n));
  Matrix adjoint = pull.middleRows(last * n, n), next;
  for (Index k = last; k > 0; --k) {
    const std::size_t s = steps_.which[static_cast<std::size_t>(k - 1)];
    stop_point(sampled_work(n, 2 * pull.cols()));
    map_pull[s].noalias() += adjoint * states.middleRows((k - 1) * n, n).transpose();
    next.noalias() = exponentials_[s].value().transpose() * adjoint;
    adjoint = next + pull.middleRows((k - 1) * n, n);
  }
  Pulled result{Matrix::Zero(n, n), adjoint};
  for (std::size_t s = 0; s < exponentials_.size(); ++s)
    result.generator += steps_.length[s] * exponentials_[s].adjoint(map_pull[s]);
  return result;
}

SampledFlow::Pulled SampledFlow::adjoint_by_series(const Matrix& states, const Matrix& pull) const {
  const Index n = a_.rows(), last = samples() - 1;
  Pulled result{Matrix::Zero(n, n), pull.middleRows(last * n, n)};
  std::vector<Matrix> kept;
  for (Index k = last; k > 0; --k) {
    const Matrix before = states.middleRows((k - 1) * n, n);
    const std::size_t s = steps_.which[static_cast<std::size_t>(k - 1)];
    stop_point(3 * products(s) * sampled_work(n, pull.cols()));
    series_[s].retreat(a_, before, result.starts, result.generator, kept);
    result.starts += pull.middleRows((k - 1) * n, n);
  }
  return result;
}

}  // namespace lgn
