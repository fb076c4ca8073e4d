// The parts that identification is made of: a structure, the loss of its trajectories, and an exact
// gradient for an optimiser of your own.
#include <cstdio>

#include "lgn/lgn.h"

int main() {
  const lgn::Dataset data = lgn::read_csv({"examples/ringdown.csv"});
  const auto structure = lgn::find_structure("sd", data.dimension());
  const lgn::TrajectoryLoss loss(data, *structure);

  lgn::Random random(1);
  const lgn::Vector theta = structure->random_start(random);
  const lgn::Matrix x0 = lgn::measured_initial_states(data);
  const lgn::LossGradient at = loss.gradient(theta, x0);
  std::printf("loss %.6f, gradient of length %.6f\n", at.loss, at.theta.norm());

  const auto value = [&](const lgn::Vector& t) { return loss.value(t, x0); };
  const lgn::GradientCheck check = lgn::check_gradient(value, theta, at.theta);
  std::printf("largest difference from central differences, relative: %.1e\n", check.error);
  return check.error < 1e-7 ? 0 : 1;
}
