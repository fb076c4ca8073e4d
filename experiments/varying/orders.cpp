#include "experiments/varying/orders.h"

#include <cmath>
#include <memory>

#include "experiments/varying/truth.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/dynamics/structures.h"
#include "lgn/dynamics/varying_law.h"
#include "lgn/flow/magnus_flow.h"

namespace lgn::studies {
namespace {

double slope(const Vector& x, const Vector& y) {
  const Vector centred = x.array() - x.mean();
  return centred.dot(y) / centred.squaredNorm();
}

std::vector<SchemeOrder> study_orders(const Structure& structure, const Vector& theta,
                                      const Vector& x0, double end) {
  const auto a = [&](double t) { return structure.generator(theta, t); };
  const Vector truth = runge_kutta(a, x0, Vector{{0, end}}).col(1);
  const Vector steps = order_steps();
  const auto error = [&](const MagnusScheme& scheme, double step) {
    const auto count = static_cast<Index>(std::round(end / step));
    const MagnusPlan nodes(structure, even_grid(Vector{{0, end}}, scheme, count));
    return (MagnusFlow(nodes, theta).states(x0).bottomRows(x0.size()) - truth).norm();
  };
  const double midpoint = error(find_magnus_scheme("2"), 0.1);
  std::vector<SchemeOrder> found;
  for (const MagnusScheme& scheme : magnus_schemes()) {
    SchemeOrder one{std::string(scheme.name), scheme.order, Vector(steps.size())};
    for (Index k = 0; k < steps.size(); ++k) one.errors[k] = error(scheme, steps[k]);
    one.order = slope(steps.array().log(), one.errors.array().log());
    one.gain = midpoint / error(scheme, 0.1);
    found.push_back(std::move(one));
  }
  return found;
}

}  // namespace

Vector order_steps() { return Vector{{0.4, 0.2, 0.1, 0.05}}; }

std::vector<SchemeOrder> study_orders_on_oscillator() {
  const VaryingParametric law(ltv_oscillator_law());
  const PaperOscillator truth;
  const Vector theta =
      law.constants().parameters(Vector{{1, truth.gamma, truth.modulation, truth.frequency}});
  return study_orders(law, theta, Vector{{1, 0}}, 10);
}

std::vector<SchemeOrder> study_orders_on_random_system(Index states, std::uint64_t seed) {
  const ModulatedStructure full(std::make_shared<FullStructure>(states),
                                std::make_shared<Harmonics>(2));
  Random random(seed);
  Vector theta = 0.2 * random.normals(full.parameters());
  theta.head(2) << 0.7, 1.3;
  return study_orders(full, theta, random.normals(states).normalized(), 4);
}

}  // namespace lgn::studies
