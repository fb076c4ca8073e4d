#include "experiments/varying/kept.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <string_view>

#include "lgn/core/decompositions.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/magnus_flow.h"

namespace lgn::studies {
namespace {

/// A random S(t) − D(t) and times.
struct RandomCase {
  std::shared_ptr<const ModulatedStructure> structure;
  Vector theta, times;
};

RandomCase draw_case(Random& random) {
  const auto n = 2 + static_cast<Index>(4 * random.uniform());
  auto structure = std::make_shared<const ModulatedStructure>(std::make_shared<SdStructure>(n),
                                                              std::make_shared<Harmonics>(1));
  const double omega = std::pow(10.0, random.uniform());           // 1 to 10
  const double size = std::pow(10.0, 1.5 * random.uniform() - 1);  // 0.1 to 3
  Matrix c = size * random.normals(structure->entries(), 3);
  for (Index e = structure->entries() - n; e < structure->entries(); ++e) {
    c(e, 0) = std::abs(c(e, 0));
    if (random.uniform() < 1.0 / 3) c.row(e).setZero();
  }
  Vector theta = structure->theta_of(Vector{{omega}}, c);
  // At most a quarter of a turn, and ∫‖A‖ ≤ 1, where the series of Magnus converges.
  const double longest = std::min(std::numbers::pi / 2 / omega, 1 / c.cwiseAbs().sum());
  const double step = longest * std::pow(10.0, -random.uniform());
  return {std::move(structure), std::move(theta), step * Vector::LinSpaced(4, 0, 3)};
}

/// The steps of one interval between samples.
std::vector<MagnusStep> steps_of(const MagnusGrid& grid, Index interval) {
  const auto* first = grid.first.data() + interval;
  return {grid.steps.data() + first[0], grid.steps.data() + first[1]};
}

/// ‖Φ‖₂ − 1 for the map over one interval: how much the length of some state grows, relative to it.
double growth(const RandomCase& drawn, const MagnusGrid& grid, Index interval) {
  const auto steps = steps_of(grid, interval);
  const MagnusPlan nodes(*drawn.structure,
                         {grid.times.segment(interval, 2), steps, {0, steps.size()}});
  const Matrix map = MagnusFlow(nodes, drawn.theta).maps().bottomRows(drawn.structure->dimension());
  return singular_values(map)[0] - 1;
}

/// What rounding can add to a map: the plan lets ‖Φ‖² of a step reach 1 + 8 n ε, and the series for the
/// exponential rounds n ε for each unit of ∫‖A‖, in twenty terms.
double rounding(const RandomCase& drawn, const MagnusGrid& grid, Index interval) {
  const auto n = static_cast<double>(drawn.structure->dimension());
  const auto steps = static_cast<double>(steps_of(grid, interval).size());
  const Matrix c = drawn.structure->coefficients(drawn.theta);
  const double path = c.cwiseAbs().sum() * (grid.times[interval + 1] - grid.times[interval]);
  return n * std::numeric_limits<double>::epsilon() * (8 * steps + 20 * path);
}

bool any_taken(const std::vector<MagnusStep>& steps, std::string_view method) {
  return std::any_of(steps.begin(), steps.end(),
                     [&](const MagnusStep& step) { return step.scheme->name == method; });
}

/// The same A(t; θ), of which nothing is promised.
class Unpromised final : public Structure {
 public:
  explicit Unpromised(const Structure& inner) : inner_(inner) {}
  std::string name() const override { return inner_.name(); }
  Index dimension() const override { return inner_.dimension(); }
  Guarantee guarantee() const override { return {}; }
  Index parameters() const override { return inner_.parameters(); }
  std::vector<std::string> parameter_names() const override { return inner_.parameter_names(); }
  std::unique_ptr<const SampledStructure> sample(const Vector& times) const override {
    return inner_.sample(times);
  }
  Vector lower_bounds() const override { return inner_.lower_bounds(); }
  std::vector<NamedValue> named_values(const Vector& theta) const override {
    return inner_.named_values(theta);
  }
  std::optional<Matrix> energy(const Vector&) const override { return {}; }
  std::optional<double> period(const Vector& theta) const override { return inner_.period(theta); }
  bool extrapolates() const override { return inner_.extrapolates(); }

 private:
  const Structure& inner_;
};

}  // namespace

std::vector<KeptNorm> study_norms(const NormOptions& options) {
  const ModulatedStructure skew(std::make_shared<SkewStructure>(options.states),
                                std::make_shared<Harmonics>(2));
  Random random(options.seed);
  Vector theta = random.normals(skew.parameters());
  theta.head(2) << 0.7, 2.9;
  const Vector x0 = random.normals(options.states).normalized();
  const Vector times =
      options.step * Vector::LinSpaced(options.steps + 1, 0, static_cast<double>(options.steps));
  std::vector<KeptNorm> found;
  for (const MagnusScheme& scheme : magnus_schemes()) {
    const MagnusPlan nodes(skew, even_grid(times, scheme));
    const Matrix x = MagnusFlow(nodes, theta).states(x0).reshaped(options.states, times.size());
    found.push_back({std::string(scheme.name), (x.colwise().norm().array() - 1).abs().maxCoeff()});
  }
  return found;
}

Contraction study_contraction(const ContractionOptions& options) {
  const MagnusScheme& wanted = find_magnus_scheme(options.method);
  Random random(options.seed);
  Contraction found;
  double steps = 0;
  for (int k = 0; k < options.systems; ++k) {
    const RandomCase drawn = draw_case(random);
    const MagnusGrid single = even_grid(drawn.times, wanted);
    const MagnusOptions magnus{.method = options.method, .tolerance = options.tolerance};
    const MagnusGrid planned = plan_grid(*drawn.structure, drawn.theta, drawn.times, magnus);
    const MagnusGrid asked =
        plan_grid(Unpromised(*drawn.structure), drawn.theta, drawn.times, magnus);
    steps += static_cast<double>(planned.steps.size());
    for (Index i = 0; i + 1 < drawn.times.size(); ++i) {
      const auto taken = steps_of(planned, i);
      const double plain = growth(drawn, single, i);
      ++found.intervals;
      found.worst = std::max(found.worst, plain);
      found.single += plain > rounding(drawn, single, i) ? 1 : 0;
      found.changed += taken != steps_of(asked, i) ? 1 : 0;
      found.free += any_taken(taken, "4-commutator-free") ? 1 : 0;
      found.midpoint += any_taken(taken, "2") ? 1 : 0;
      found.increases += growth(drawn, planned, i) > rounding(drawn, planned, i) ? 1 : 0;
    }
  }
  found.steps = steps / found.intervals;
  return found;
}

}  // namespace lgn::studies
