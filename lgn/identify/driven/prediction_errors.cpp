#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/time_steps.h"
#include "lgn/identify/driven/prediction_errors_internal.h"

namespace lgn {
namespace {

const ConstantStructure& constant(const Fit& fit) {
  if (const ConstantStructure* found = fit.structure->autonomous()) return *found;
  throw Error("the innovations form needs a generator that does not vary in time");
}

double radius(const Matrix& a) { return eigenvalues(a).cwiseAbs().maxCoeff(); }

}  // namespace

std::optional<double> even_step(const Dataset& data) {
  constexpr double alike = 1e-6, most_missing = 0.1;
  double step = 0;
  Index complete = 0;
  for (const auto& run : data.runs()) {
    const TimeSteps steps = find_steps(run.times());
    for (const double length : steps.length) {
      if (step == 0) step = length;
      if (!(std::abs(length - step) <= alike * step)) return {};
    }
    complete += (!run.states().array().isNaN().colwise().any()).count();
  }
  if (static_cast<double>(complete) < (1 - most_missing) * static_cast<double>(data.samples()))
    return {};
  return step;
}

PredictionErrors::PredictionErrors(const Dataset& data, const Fit& like, double step)
    : like_(like),
      structure_(constant(like)),
      step_(step),
      states_(structure_.dimension()),
      channels_(structure_.channels()),
      inputs_(like.drive.b.cols()),
      parameters_(structure_.parameters()),
      offsets_(like.offset.size()),
      fed_(like.drive.d.size() > 0 ? channels_ : 0) {
  for (const auto& run : data.runs()) {
    Run kept{run.states(), {}, plan_flow(*like_.structure, run.times(), like_.theta), nullptr};
    if (inputs_ > 0)
      kept.forced = plan_forced(*like_.structure,
                                input_course(run.times(), run.inputs(), like_.drive.timing));
    for (Index k = 0; k < run.samples(); ++k) {
      kept.complete.push_back(run.states().col(k).hasNaN() ? 0 : 1);
      complete_ += kept.complete.back();
    }
    runs_.push_back(std::move(kept));
  }
  unknowns_ =
      linear() + offsets_ + (states_ + fed_) * inputs_ + states_ * static_cast<Index>(runs_.size());
}

PredictionErrors::Parts PredictionErrors::parts(const Vector& psi) const {
  Parts result;
  Index place = 0;
  const auto next = [&](Index rows, Index columns) -> Matrix {
    place += rows * columns;
    return psi.segment(place - rows * columns, rows * columns).reshaped(rows, columns);
  };
  result.theta = next(parameters_, 1);
  result.k = next(states_, channels_);
  result.offset = next(offsets_, 1);
  result.b = next(states_, inputs_);
  result.d = next(fed_, inputs_);
  result.initial_states = next(states_, static_cast<Index>(runs_.size()));
  return result;
}

Vector PredictionErrors::unknowns_of(const Fit& fit) const {
  Matrix x0 = fit.initial_states;
  if (structure_.measures_states() && offsets_ > 0) x0.colwise() -= fit.offset;
  Vector psi = Vector::Zero(unknowns_);
  psi.head(parameters_) = fit.theta;
  if (fit.innovation.active())
    psi.segment(gain(), states_ * channels_) = fit.innovation.k.reshaped();
  psi.segment(linear(), offsets_) = fit.offset;
  psi.segment(linear() + offsets_, fit.drive.b.size()) = fit.drive.b.reshaped();
  psi.segment(linear() + offsets_ + fit.drive.b.size(), fit.drive.d.size()) =
      fit.drive.d.reshaped();
  psi.tail(x0.size()) = x0.reshaped();
  return psi;
}

Fit PredictionErrors::fit_at(const Vector& psi, const Matrix& covariance) const {
  Parts at = parts(psi);
  Fit fit = like_;
  fit.theta = at.theta;
  fit.offset = at.offset;
  fit.drive.b = at.b;
  fit.drive.d = at.d;
  fit.initial_states = at.initial_states;
  if (structure_.measures_states() && offsets_ > 0) fit.initial_states.colwise() += at.offset;
  fit.innovation = {at.k, covariance, step_};
  fit.noise = covariance.diagonal().cwiseSqrt();
  return fit;
}

PredictionErrors::Filter PredictionErrors::filter_at(const Vector& psi,
                                                     bool with_derivatives) const {
  const Vector theta = psi.head(parameters_);
  Filter filter;
  filter.c = structure_.observation(theta).matrix();
  filter.k = psi.segment(gain(), states_ * channels_).reshaped(states_, channels_);
  const Matrix a = step_ * structure_.generator(theta);
  if (!with_derivatives) {
    filter.phi = exponential(a);
    return filter;
  }
  const Exponential exact(a);
  filter.phi = exact.value();
  const Matrix directions = structure_.directions(theta);
  for (Index q = 0; q < parameters_; ++q) {
    stop_point(60.0 * static_cast<double>(states_ * states_ * states_));
    const Matrix along = directions.middleRows(q * states_, states_);
    if (!along.isZero(0)) {
      Filter::add(filter.by_theta, static_cast<Index>(filter.moving.size()),
                  exact.derivative(step_ * along));
      filter.moving.push_back(q);
    } else if (!structure_.measures_states()) {
      // What channels see of a state is an entry of θ itself, or nothing.
      Vector moved = Vector::Zero(parameters_);
      moved[q] = 1;
      Filter::add(filter.c_by_theta, q,
                  structure_.observation(moved).matrix() -
                      structure_.observation(Vector::Zero(parameters_)).matrix());
    }
  }
  return filter;
}

bool PredictionErrors::stable(const Vector& psi) const {
  constexpr double margin = 1e-9, rounding = 1e-12;
  const Filter filter = filter_at(psi, false);
  if (!filter.phi.allFinite() || !filter.k.allFinite()) return false;
  const double reached = radius(filter.phi - filter.k * filter.c);
  return reached <= 1 - margin || reached <= std::min(1.0, radius(filter.phi)) + rounding;
}

Matrix PredictionErrors::residuals(const Run& run, const Parts& at, Index index) const {
  const Index samples = run.samples.cols();
  Matrix predicted =
      run.flow->at(at.theta)->outputs(at.initial_states.col(index)).reshaped(channels_, samples);
  if (inputs_ > 0)
    predicted += run.forced->at(at.theta)->outputs(at.b).reshaped(channels_, samples);
  if (fed_ > 0) predicted += at.d * run.forced->inputs();
  if (offsets_ > 0) predicted.colwise() += at.offset;
  return run.samples - predicted;
}

const std::vector<Matrix>& PredictionErrors::errors(const Vector& psi) const {
  // A step that was taken is asked about once more.
  if (last_ && last_->psi == psi) return last_->errors;
  last_.reset();
  const Parts at = parts(psi);
  const Filter filter = filter_at(psi, false);
  std::vector<Matrix> result;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    Matrix e = residuals(runs_[r], at, static_cast<Index>(r));
    stop_point(4.0 * static_cast<double>(states_ * states_ * e.cols()));
    Vector z = Vector::Zero(states_), next(states_);
    for (Index k = 0; k < e.cols(); ++k) {
      // Too small for calls of BLAS to be worth it.
      e.col(k) -= filter.c.lazyProduct(z);
      next = filter.phi.lazyProduct(z);
      for (Index c = 0; c < channels_; ++c)
        if (!Trajectory::missing(e(c, k))) next += e(c, k) * filter.k.col(c);
      z.swap(next);
    }
    result.push_back(std::move(e));
  }
  last_.emplace(Known{psi, std::move(result)});
  return last_->errors;
}

Matrix PredictionErrors::covariance(const std::vector<Matrix>& errors) const {
  Matrix sum = Matrix::Zero(channels_, channels_);
  for (std::size_t r = 0; r < runs_.size(); ++r)
    for (Index k = 0; k < errors[r].cols(); ++k)
      if (runs_[r].complete[static_cast<std::size_t>(k)] != 0)
        sum.noalias() += errors[r].col(k) * errors[r].col(k).transpose();
  return sum / std::max(1.0, static_cast<double>(complete_));
}

double PredictionErrors::cost(const Vector& psi, const Matrix& weight) const {
  if (!psi.allFinite() || !stable(psi)) return std::numeric_limits<double>::infinity();
  const std::vector<Matrix>& all = errors(psi);
  double sum = 0;
  for (std::size_t r = 0; r < runs_.size(); ++r)
    for (Index k = 0; k < all[r].cols(); ++k)
      if (runs_[r].complete[static_cast<std::size_t>(k)] != 0)
        sum += (weight * all[r].col(k)).squaredNorm();
  return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
}

}  // namespace lgn
