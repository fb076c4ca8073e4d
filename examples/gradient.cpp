// The parts that identification is made of: a structure, the loss of its trajectories, and an exact
// gradient for an optimiser of your own.
#include <cstdio>

#include "lgn/lgn.h"

int main() {
  const lgn::Dataset data = lgn::read_csv({"examples/ringdown.csv"});
  const lgn::TrajectoryLoss loss(data);
  const auto structure = lgn::find_structure("sd", data.dimension());

  lgn::Random random(1);
  const lgn::Vector theta = structure->random_start(random);
  const lgn::Matrix starts = lgn::measured_starts(data);
  const lgn::LossGradient at = loss.gradient(structure->generator(theta), starts);
  const lgn::Vector gradient = structure->pullback(theta, at.generator);
  std::printf("loss %.6f, gradient of length %.6f\n", at.loss, gradient.norm());

  const auto value = [&](const lgn::Vector& t) {
    return loss.value(structure->generator(t), starts);
  };
  const lgn::GradientCheck check = lgn::check_gradient(value, theta, gradient);
  std::printf("largest difference from central differences, relative: %.1e\n", check.error);
  return check.error < 1e-7 ? 0 : 1;
}
