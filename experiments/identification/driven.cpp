#include "experiments/identification/driven.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/identification/data.h"
#include "experiments/identification/poles.h"
#include "lgn/flow/forced_response.h"
#include "lgn/identify.h"
#include "lgn/physics/assignment.h"

namespace lgn::studies {
namespace {

constexpr Index states = 8, samples = 1000;
constexpr double step = 0.2, noise = 0.02;

struct Observed {
  std::string name;
  Hold hold = Hold::zoh;
  bool uneven = false;
  double missing = 0;
};

const std::vector<Observed>& observations() {
  static const std::vector<Observed> all{{"zoh", Hold::zoh},
                                         {"foh", Hold::foh},
                                         {"zoh, uneven times", Hold::zoh, true},
                                         {"foh, uneven times", Hold::foh, true},
                                         {"zoh, 30% missing", Hold::zoh, false, 0.3},
                                         {"foh, 30% missing", Hold::foh, false, 0.3}};
  return all;
}

/// A chain that ends free, damped by its stiffness and its mass.
Matrix chain() {
  Matrix k = Matrix::Zero(4, 4), a = Matrix::Zero(8, 8);
  k.diagonal().setConstant(2);
  k.diagonal(1).setConstant(-1);
  k.diagonal(-1).setConstant(-1);
  k(3, 3) = 1;
  a.topRightCorner(4, 4).setIdentity();
  a.bottomLeftCorner(4, 4) = -k;
  a.bottomRightCorner(4, 4) = -0.03 * k;
  a.bottomRightCorner(4, 4).diagonal().array() -= 0.02;
  return a;
}

struct Sampled {
  Dataset exact, noisy;
  Vector sigma;
};

/// The first and the last position under a force that changes its sign at random, every ten samples at most.
Sampled sample(const Matrix& a, const Observed& how, Random& random) {
  const Vector times =
      how.uneven ? uneven_times(step * samples, samples, random) : even_times(step, samples);
  Matrix force(1, samples);
  for (Index k = 0; k < samples; k += 10)
    force.middleCols(k, 10).setConstant(random.uniform() < 0.5 ? -1.0 : 1.0);
  const Matrix x = forced_states(a, 0.5 * random.normals(states), Vector::Unit(states, 4),
                                 input_course(times, force, {how.hold, 0}));
  Matrix y(2, samples);
  y << x.row(0), x.row(3);
  const Vector mean = y.rowwise().mean();
  const Vector sigma = noise * ((y.colwise() - mean).rowwise().squaredNorm() / samples).cwiseSqrt();
  y.array() += 0.3;
  const Matrix shown = y + sigma.asDiagonal() * random.normals(2, samples);
  const auto data = [&](const Matrix& values) {
    return Dataset({"q1", "q4"}, {Trajectory("1", times, values, force)}, {"u"});
  };
  if (how.missing == 0) return {data(y), data(shown), sigma};
  const Dataset gapped = with_gaps(data(y), how.missing, random);
  const Matrix& kept = gapped.runs().front().states();
  return {data(kept), data(kept.array().isNaN().select(kept, shown)), sigma};
}

}  // namespace

std::vector<DrivenRecovery> study_driven(int many, int some, int orders) {
  const Matrix a = chain();
  const Eigensystem truth = eigensystem(a);
  ComplexMatrix shapes(2, states);
  shapes << truth.right.row(0), truth.right.row(3);
  const ModalSystem modal = modal_system(truth.values, shapes, Vector::Ones(2));
  std::vector<DrivenRecovery> result;
  for (const Observed& how : observations()) {
    const int seeds = how.uneven || how.missing > 0 ? some : many;
    DrivenRecovery found{how.name, seeds};
    double modes = 0;
    for (int seed = 0; seed < seeds; ++seed) {
      Random random(static_cast<std::uint64_t>(seed) + 1);
      const Sampled data = sample(a, how, random);
      if (seed < orders) {
        ++found.tried;
        found.right += identify(data.noisy).dimension() == states ? 1 : 0;
      }
      FitOptions options;
      options.states = States::given;
      options.state_count = states;
      options.hold = how.hold == Hold::zoh ? InputHold::zoh : InputHold::foh;
      options.feedthrough = Feedthrough::no;
      const Model model = identify(data.noisy, options);
      found.error += compare_poles(model.a, a).relative.mean() / seeds;
      found.bound += modal_error_bound(modal, data.exact, data.sigma,
                                       {.estimate_offset = true, .inputs = InputTiming{how.hold}}) /
                     seeds;
      const IntervalCoverage covered = interval_coverage(model, truth.values);
      modes += covered.modes;
      found.frequency += covered.frequency;
      found.damping += covered.damping;
    }
    found.frequency /= modes;
    found.damping /= modes;
    result.push_back(found);
  }
  return result;
}

}  // namespace lgn::studies
