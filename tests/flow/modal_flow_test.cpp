#include "lgn/flow/modal_flow.h"

#include <gtest/gtest.h>

#include "lgn/dynamics/observed.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/propagate.h"

namespace lgn::testing {
namespace {

/// Blocks on every side of the double pole, and on it.
Vector rates_of_all_kinds() {
  Vector theta(9);
  theta << 2, 0.1, 1.5, 3.0, 1.5, 3.0 + 1e-6, 1, 5, 0.7;
  return theta;
}

struct Sampled {
  ModalStructure structure{9, 2, {0, 1, 0, 1, 0}};
  Vector theta = Vector(structure.parameters());
  Matrix x0 = Matrix::Random(9, 2);
  Sampled() { theta << rates_of_all_kinds(), Vector::Random(structure.parameters() - 9); }
};

Vector modal_even_times() { return Vector::LinSpaced(3000, 1, 31); }
Vector modal_uneven_times() {
  Vector times = modal_even_times();
  for (Index k = 1; k < times.size(); ++k) times[k] += 0.004 * std::sin(static_cast<double>(k * k));
  return times;
}

TEST(ModalFlow, AgreesWithTheExponentialOfTheWholeGenerator) {
  const Sampled s;
  for (const Vector& times : {modal_even_times(), modal_uneven_times()}) {
    const auto plan = plan_flow(s.structure, times, s.theta);
    const auto flow = plan->at(s.theta);
    const Matrix expected = propagate(s.structure.generator(s.theta), s.x0.col(1), times);
    const Matrix c = s.structure.observation(s.theta).matrix();
    EXPECT_LE((flow->states(s.x0).col(1).reshaped(9, times.size()) - expected).norm(),
              1e-10 * expected.norm());
    EXPECT_LE((flow->outputs(s.x0).col(1).reshaped(2, times.size()) - c * expected).norm(),
              1e-10 * expected.norm());
  }
}

TEST(ModalFlow, GivesAnySamplesForThemselves) {
  const Sampled s;
  for (const Vector& times : {modal_even_times(), modal_uneven_times()}) {
    const auto plan = plan_flow(s.structure, times, s.theta);
    const auto flow = plan->at(s.theta);
    const Matrix all = flow->output_maps(0, 3000), some = flow->output_maps(1700, 1100);
    EXPECT_LE((all.middleRows(3400, 2200) - some).norm(), 1e-11 * all.norm());
    const Matrix slopes = flow->output_jacobian(s.x0, 0, 3000);
    const Matrix later = flow->output_jacobian(s.x0, 1700, 1100);
    for (Index c = 0; c < 2; ++c)
      EXPECT_LE(
          (slopes.middleCols(c * 3000 + 1700, 1100) - later.middleCols(c * 1100, 1100)).norm(),
          1e-11 * slopes.norm());
    EXPECT_LE((all * s.x0 - flow->outputs(s.x0)).norm(), 1e-11 * all.norm());
  }
}

TEST(ModalFlow, HasTheDerivativesOfItsOutputs) {
  const Sampled s;
  const Vector times = modal_even_times().head(200);
  const auto plan = plan_flow(s.structure, times, s.theta);
  const Index p = s.structure.parameters(), count = times.size();
  const Matrix jacobian = plan->at(s.theta)->output_jacobian(s.x0, 0, count);
  constexpr double step = 1e-5;
  for (Index q = 0; q < p; ++q) {
    const Vector change = step * Vector::Unit(p, q);
    const Matrix slope =
        (plan->at(s.theta + change)->outputs(s.x0) - plan->at(s.theta - change)->outputs(s.x0)) /
        (2 * step);
    for (Index r = 0; r < 2; ++r) {
      const Matrix found = jacobian.row(r * p + q).reshaped(count, 2);
      const Matrix expected = slope.col(r).reshaped(2, count).transpose();
      // Central differences are good to step² beside the third derivative, some t³ of it.
      EXPECT_LE((found - expected).norm(), 1e-7 * (1 + expected.norm())) << q;
    }
  }
}

TEST(ModalFlow, PullsBackWhatItPushesForward) {
  const Sampled s;
  const Vector times = modal_even_times().head(50);
  const auto plan = plan_flow(s.structure, times, s.theta);
  const auto flow = plan->at(s.theta);
  const Vector delta = Vector::Random(s.structure.parameters());
  const Matrix pull = Matrix::Random(50 * 9, 2);
  const Flow::Gradient gradient = flow->adjoint(flow->states(s.x0), pull);
  const double forward = flow->tangent(delta, s.x0).cwiseProduct(pull).sum();
  EXPECT_NEAR(gradient.theta.dot(delta), forward, 1e-11 * pull.norm() * s.x0.norm() * 50);
  EXPECT_NEAR(gradient.x0.cwiseProduct(s.x0).sum(), flow->states(s.x0).cwiseProduct(pull).sum(),
              1e-11 * pull.norm() * s.x0.norm() * 50);
}

TEST(ModalFlow, PullsBackOutputsAsTheirDerivativesDo) {
  const Sampled s;
  for (const Vector& times : {modal_even_times(), modal_uneven_times()}) {
    const ModalPlan plan(s.structure, times);
    const ModalFlow flow(plan, s.theta);
    const Vector x0 = s.x0.col(0);
    const Matrix pull = Matrix::Random(2, times.size());
    const Matrix slopes = flow.output_jacobian(x0, 0, times.size());
    const Vector expected = slopes * pull.transpose().reshaped();
    EXPECT_LE((flow.output_adjoint(x0, pull) - expected).norm(),
              1e-11 * slopes.norm() * pull.norm());
  }
}

TEST(ModalFlow, IsObservedAsADenseOneIs) {
  const Sampled s;
  const Vector times = modal_even_times().head(300);
  const ObservedStructure dense(std::make_shared<FullStructure>(9),
                                s.structure.observation(s.theta));
  const Vector a = s.structure.generator(s.theta).reshaped();
  const auto modal_plan = plan_flow(s.structure, times, s.theta);
  const auto dense_plan = plan_flow(dense, times, a);
  const auto modal = modal_plan->at(s.theta), full = dense_plan->at(a);
  EXPECT_LE((modal->output_maps(0, 300) - full->output_maps(0, 300)).norm(), 1e-10);
  EXPECT_LE((modal->outputs(s.x0) - full->outputs(s.x0)).norm(), 1e-10);
}

}  // namespace
}  // namespace lgn::testing
