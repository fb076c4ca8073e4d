// One loss and its gradient in θ where A varies in time: what a step of the paper's Exp 2 costs, and
// the same with more states.

#include <memory>

#include "claim.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/magnus_flow.h"

namespace lgn::bench {
namespace {

constexpr Index frequencies = 25, samples = 201;
constexpr double step = 0.1;

/// The paper's model, on the steps that its M2 takes.
struct PaperModel {
  PaperModel(Index n, Random& random)
      : features(
            std::make_shared<FourierFeatures>(FourierFeatures::draw(frequencies, 0.1, 10, random))),
        structure(std::make_shared<SdStructure>(n), features, {},
                  ModulatedStructure::Link::softplus),
        nodes(structure, even_grid(Vector::LinSpaced(samples, 0, step * (samples - 1)),
                                   find_magnus_scheme("4-simpson"))) {}
  PaperModel(const PaperModel&) = delete;  // the nodes refer to the structure

  std::shared_ptr<const FourierFeatures> features;
  ModulatedStructure structure;
  MagnusPlan nodes;
};

/// A chain of unit couplings and dampings 0.1, for n = 2 an oscillator like the paper's, from which
/// every entry of S and D departs at all frequencies. It departs by so little that h‖A(t)‖ stays above
/// 0.05, for below that torch.matrix_exp has a wrong coefficient and errs by up to 3e-10 (PyTorch's
/// issue 196592).
Vector draw_theta(const ModulatedStructure& structure, Random& random) {
  const Index n = structure.dimension();
  Matrix chain = -0.1 * Matrix::Identity(n, n);
  chain.diagonal(1).setConstant(1);
  chain.diagonal(-1).setConstant(-1);
  Matrix coefficients = 0.02 * random.normals(structure.entries(), structure.basis().size());
  coefficients.col(0) += structure.course_values(structure.base().project(chain));
  return structure.theta_of({}, coefficients);
}

}  // namespace

Claim ltv_gradient(const std::string& folder, Index n) {
  Random random(1);
  const auto model = std::make_shared<const PaperModel>(n, random);
  const Vector start = Vector::Unit(n, 0);
  const Vector truth = draw_theta(model->structure, random);
  const Vector theta = draw_theta(model->structure, random);
  const Matrix data = MagnusFlow(model->nodes, truth).states(start);
  write_numbers(folder, "frequencies", model->features->frequencies());
  write_numbers(folder, "times", model->nodes.grid()->times);
  write_numbers(folder, "start", start);
  write_numbers(folder, "samples", data);
  write_numbers(folder, "theta", theta);

  const auto value = std::make_shared<double>();
  const auto gradient = std::make_shared<Vector>();
  return {[=] {
            const MagnusFlow flow(model->nodes, theta);
            const Matrix states = flow.states(start), residuals = states - data;
            *value = residuals.squaredNorm();
            *gradient = flow.adjoint(states, 2 * residuals).theta;
          },
          [=] {
            return std::map<std::string, Matrix>{{"loss", Matrix::Constant(1, 1, *value)},
                                                 {"gradient", *gradient}};
          }};
}

}  // namespace lgn::bench
