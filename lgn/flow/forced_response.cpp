#include "lgn/flow/forced_response.h"

#include "lgn/core/stop.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/flow.h"
#include "lgn/flow/magnus_forced.h"
#include "lgn/flow/modal_forced.h"

namespace lgn {
namespace {

/// Φ, P₁ − P₂/h and P₂/h: what becomes of the state and of the input at both ends of a piece.
struct ForcedStep {
  Matrix state, begin, end;
};

/// h [[A, I/h, 0], [0, 0, I/h], [0, 0, 0]], whose exponential has Φ, P₁/h and P₂/h² in its first rows.
Matrix augmented(const Matrix& a, double h) {
  const Index n = a.rows();
  Matrix result = Matrix::Zero(3 * n, 3 * n);
  result.topLeftCorner(n, n) = h * a;
  result.block(0, n, n, n).setIdentity();
  result.block(n, 2 * n, n, n).setIdentity();
  return result;
}

ForcedStep forced_step(const Matrix& exponential, double h) {
  const Index n = exponential.rows() / 3;
  const Matrix end = h * exponential.block(0, 2 * n, n, n);
  return {exponential.topLeftCorner(n, n), h * exponential.block(0, n, n, n) - end, end};
}

/// Walks along the pieces: x ← step(which, piece, x), and keeps x at the samples.
template <class Step>
Matrix walk(const InputCourse& course, Matrix x, Step step) {
  const Index n = x.rows(), columns = x.cols();
  Matrix result(n, course.samples() * columns);
  result.leftCols(columns) = x;
  Index sample = 1;
  for (std::size_t k = 0; k < course.pieces.size(); ++k) {
    step(course.pieces[k].which, static_cast<Index>(k), x);
    if (course.pieces[k].to_sample) result.middleCols(columns * sample++, columns) = x;
  }
  return result;
}

class DenseForcedPlan final : public ForcedPlan {
 public:
  DenseForcedPlan(const ConstantStructure& structure, InputCourse course)
      : structure_(structure), course_(std::move(course)) {}
  std::unique_ptr<const ForcedResponse> at(const Vector& theta) const override;
  const Matrix& inputs() const override { return course_.at_samples; }

  const ConstantStructure& structure() const { return structure_; }
  const InputCourse& course() const { return course_; }

 private:
  const ConstantStructure& structure_;
  InputCourse course_;
};

class DenseForcedResponse final : public ForcedResponse {
 public:
  DenseForcedResponse(const DenseForcedPlan& plan, const Vector& theta)
      : plan_(plan), theta_(theta), observation_(plan.structure().observation(theta)) {
    const Matrix a = plan.structure().generator(theta);
    for (const double h : course().lengths) {
      stop_point(100.0 * static_cast<double>(a.size()) * static_cast<double>(a.rows()));
      exponentials_.emplace_back(augmented(a, h));
      maps_.push_back(forced_step(exponentials_.back().value(), h));
    }
  }

  Matrix output_maps(Index first, Index count) const override {
    const Index n = size(), m = course().inputs();
    const Matrix units =
        walk(course(), Matrix::Zero(n, n * m), [&](std::size_t which, Index k, Matrix& x) {
          const ForcedStep& maps = maps_[which];
          x = (maps.state * x).eval();
          for (Index j = 0; j < m; ++j)
            x.middleCols(j * n, n) +=
                course().begin(j, k) * maps.begin + course().end(j, k) * maps.end;
        });
    Matrix below(count * n, n * m);
    for (Index k = 0; k < count; ++k)
      below.middleRows(k * n, n) = units.middleCols((first + k) * n * m, n * m);
    return observation_.observe(std::move(below));
  }

  Matrix states(const Matrix& b) const override {
    const Matrix begin = b * course().begin, end = b * course().end;
    return walk(course(), Matrix::Zero(size(), 1), [&](std::size_t which, Index k, Matrix& x) {
      const ForcedStep& maps = maps_[which];
      x = maps.state * x + maps.begin * begin.col(k) + maps.end * end.col(k);
    });
  }

  Vector outputs(const Matrix& b) const override {
    return observation_.observe(states(b).reshaped(size() * course().samples(), 1)).col(0);
  }

  Matrix output_jacobian(const Matrix& b, Index first, Index count) const override {
    const Index n = size(), p = theta_.size();
    const Matrix directions = plan_.structure().directions(theta_);
    // The first rows of the exponential's derivative along every direction, for every length.
    std::vector<std::vector<ForcedStep>> slopes(maps_.size());
    for (std::size_t s = 0; s < maps_.size(); ++s) {
      const double h = course().lengths[s];
      Matrix along = Matrix::Zero(3 * n, 3 * n);
      for (Index q = 0; q < p; ++q) {
        stop_point(300.0 * static_cast<double>(n * n * n));
        along.topLeftCorner(n, n) = h * directions.middleRows(q * n, n);
        slopes[s].push_back(forced_step(exponentials_[s].derivative(along), h));
      }
    }
    // The state in the first column, its derivatives in the others.
    const Matrix begin = b * course().begin, end = b * course().end;
    const Matrix all =
        walk(course(), Matrix::Zero(n, 1 + p), [&](std::size_t which, Index k, Matrix& x) {
          const Vector before = x.col(0);
          x = (maps_[which].state * x).eval();
          x.col(0) += maps_[which].begin * begin.col(k) + maps_[which].end * end.col(k);
          for (Index q = 0; q < p; ++q) {
            const ForcedStep& slope = slopes[which][static_cast<std::size_t>(q)];
            x.col(1 + q) +=
                slope.state * before + slope.begin * begin.col(k) + slope.end * end.col(k);
          }
        });
    Matrix result(p, n * count);
    for (Index k = 0; k < count; ++k)
      for (Index i = 0; i < n; ++i)
        result.col(i * count + k) = all.row(i).segment((first + k) * (1 + p) + 1, p).transpose();
    result = observation_.observe_jacobian(std::move(result));
    if (const PortHamiltonianStructure* ports = plan_.structure().ports()) {
      Matrix at(n, count);
      for (Index k = 0; k < count; ++k) at.col(k) = all.col((first + k) * (1 + p));
      add_observation_change(*ports, theta_, at, result);
    }
    return result;
  }

 private:
  const InputCourse& course() const { return plan_.course(); }
  Index size() const { return plan_.structure().dimension(); }

  const DenseForcedPlan& plan_;
  Vector theta_;
  Observation observation_;
  std::vector<Exponential> exponentials_;  ///< of every length
  std::vector<ForcedStep> maps_;
};

std::unique_ptr<const ForcedResponse> DenseForcedPlan::at(const Vector& theta) const {
  return std::make_unique<DenseForcedResponse>(*this, theta);
}

}  // namespace

std::unique_ptr<ForcedPlan> plan_forced(const Structure& structure, InputCourse course,
                                        const MagnusOptions& magnus) {
  if (const ModalStructure* modal = structure.modal())
    return std::make_unique<ModalForcedPlan>(*modal, std::move(course));
  if (const ConstantStructure* constant = structure.autonomous())
    return std::make_unique<DenseForcedPlan>(*constant, std::move(course));
  return std::make_unique<MagnusForcedPlan>(structure, std::move(course), magnus);
}

Matrix forced_states(const Matrix& a, const Vector& x0, const Matrix& b,
                     const InputCourse& course) {
  std::vector<ForcedStep> maps;
  for (const double h : course.lengths)
    maps.push_back(forced_step(exponential(augmented(a, h)), h));
  const Matrix begin = b * course.begin, end = b * course.end;
  return walk(course, x0, [&](std::size_t which, Index k, Matrix& x) {
    x = maps[which].state * x + maps[which].begin * begin.col(k) + maps[which].end * end.col(k);
  });
}

}  // namespace lgn
