// One loss and its gradient in θ = (S, d): what a step of training costs.

#include <memory>

#include "claim.h"
#include "ladder.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/training/trajectory_loss.h"

namespace lgn::bench {

Claim gradient_ladder100(const std::string& folder) {
  const Ladder ladder = make_ladder();
  write_ladder(ladder, folder);

  const auto structure = std::make_shared<const SdStructure>(Ladder::dimension);
  const auto loss = std::make_shared<TrajectoryLoss>(ladder.data, *structure);
  const auto value = std::make_shared<double>();
  const auto gradient = std::make_shared<Vector>();
  // The structure goes along, because the loss refers to it.
  return {[=, theta = ladder.theta, starts = ladder.starts, kept = structure] {
            const LossGradient g = loss->gradient(theta, starts);
            *value = g.loss;
            *gradient = g.theta;
          },
          [=] {
            return std::map<std::string, Matrix>{{"loss", Matrix::Constant(1, 1, *value)},
                                                 {"gradient", *gradient}};
          }};
}

}  // namespace lgn::bench
