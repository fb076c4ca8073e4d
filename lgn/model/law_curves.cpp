#include "lgn/model/law_curves.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "lgn/dynamics/mass_forces.h"
#include "lgn/flow/collocation.h"

namespace lgn {
namespace {

constexpr Index curve_points = 121;

/// √ of the variance of values whose slopes by θ are the columns of `slopes`.
Vector errors_of_slopes(const Matrix& slopes, const Matrix& covariance) {
  return (slopes.cwiseProduct(slopes * covariance)).rowwise().sum().cwiseMax(0.0).cwiseSqrt();
}

/// ∂values/∂θ by differences of a hundred-thousandth of every parameter that is there.
Matrix slopes_by_differences(const std::function<Vector(const Vector&)>& values,
                             const Vector& theta, Index count) {
  Matrix result = Matrix::Zero(count, theta.size());
  for (Index k = 0; k < theta.size(); ++k) {
    if (theta[k] == 0) continue;
    const Vector step = 1e-5 * std::abs(theta[k]) * Vector::Unit(theta.size(), k);
    result.col(k) = (values(theta + step) - values(theta - step)) / (2 * step[k]);
  }
  return result;
}

/// Forces of one kind, those between the same masses together.
std::vector<LawCurve> force_curves(const ModelNonlinear& law, const Matrix& states, bool dampers) {
  std::vector<LawCurve> curves;
  if (law.recipe.name != "nonlinear-mechanical") return curves;
  const Index masses = law.structure->dimension() / 2, first = dampers ? masses : 0;
  const auto forces = mass_forces(masses, law.recipe.mechanical);
  const auto belongs = [&](const MassForce& one) {
    return (one.kind == MassForce::Kind::damper) == dampers && law.theta[one.parameter] != 0;
  };
  std::vector<Matrix> slopes;
  std::vector<std::pair<Index, Index>> ends;
  for (const MassForce& one : forces) {
    if (!belongs(one)) continue;
    const std::pair<Index, Index> pair{one.i, one.j};
    auto at = static_cast<std::size_t>(std::find(ends.begin(), ends.end(), pair) - ends.begin());
    if (at == ends.size()) {
      ends.push_back(pair);
      Vector e = states.row(first + one.i).transpose();
      if (one.j >= 0) e -= states.row(first + one.j).transpose();
      // One end of it is where nothing pulls.
      const double low = std::min(0.0, e.minCoeff()), high = std::max(0.0, e.maxCoeff());
      curves.push_back({one.j < 0 ? std::to_string(one.i + 1)
                                  : std::to_string(one.i + 1) + "–" + std::to_string(one.j + 1),
                        Vector::LinSpaced(curve_points, low, high),
                        Vector::Zero(curve_points),
                        {}});
      slopes.emplace_back(Matrix::Zero(curve_points, law.theta.size()));
    }
    LawCurve& curve = curves[at];
    const Vector slope = one.kind == MassForce::Kind::pendulum
                             ? Vector(curve.x.array().sin())
                             : Vector(curve.x.array().pow(static_cast<double>(one.power)));
    curve.y += law.theta[one.parameter] * slope;
    slopes[at].col(one.parameter) += slope;
  }
  if (law.covariance.size() > 0)
    for (std::size_t k = 0; k < curves.size(); ++k)
      curves[k].error = errors_of_slopes(slopes[k], law.covariance);
  return curves;
}

/// One turn from x̄ + a to the next maximum of the first state.
struct Turn {
  double period = std::nan(""), left = std::nan("");
};

/// Where the first state stands still at this value of it: the second by Newton's steps.
std::optional<Vector> standing(const NonlinearField& field, double first, double second) {
  Vector x{{first, second}};
  for (int iteration = 0; iteration < 30; ++iteration) {
    const double rate = field.value(x)[0], slope = field.jacobian(x)(0, 1);
    const double step = rate / slope;
    if (!std::isfinite(step)) return {};
    x[1] -= step;
    if (std::abs(step) <= 1e-14 * (std::abs(x[1]) + std::abs(first))) return x;
  }
  return {};
}

Turn follow_turn(const NonlinearField& field, const Vector& rest, double amplitude, double period) {
  const auto start = standing(field, rest[0] + amplitude, rest[1]);
  if (!start) return {};
  constexpr double steps_in_turn = 64, most_turns = 10;
  const double step = std::min(period / steps_in_turn, longest_step(field, *start));
  Vector x = *start;
  bool rising = false;
  for (double time = 0; time < most_turns * period; time += step) {
    const Vector next = collocation_step(field, x, step).end;
    if (!next.allFinite()) return {};
    const double rate = field.value(next)[0];
    if (rising && rate <= 0) {
      // The maximum within this step.
      double low = 0, high = step;
      Vector top = next;
      for (int halving = 0; halving < 46; ++halving) {
        const double middle = 0.5 * (low + high);
        top = collocation_step(field, x, middle).end;
        (field.value(top)[0] > 0 ? low : high) = middle;
      }
      return {time + 0.5 * (low + high), top[0] - rest[0]};
    }
    // A maximum below the place of rest is one about another.
    rising = rising || (rate > 0 && next[0] > rest[0]);
    x = next;
  }
  return {};
}

/// The first place of rest about which two states oscillate and do not grow, and the period there.
struct Centre {
  Vector state;
  double period;
};
std::optional<Centre> centre_of(const ModelNonlinear& law) {
  if (law.structure->dimension() != 2) return {};
  for (const auto& rest : law.equilibria) {
    const double turning = rest.modes.empty() ? 0 : std::abs(rest.modes.front().pole.imag());
    if (rest.stable && turning > 0) return Centre{rest.state, 2 * std::numbers::pi / turning};
  }
  return {};
}

}  // namespace

Model states_as_channels(const Model& model) {
  if (!model.nonlinear || !model.hidden()) return model;
  Model shown = model;
  shown.channels = model.states();
  shown.offset = Vector::Zero(model.dimension());
  shown.offset.head(model.outputs()) = model.rest();
  shown.starts.colwise() += shown.offset;
  shown.c.resize(0, 0);
  return shown;
}

Matrix visited_states(const Model& model) {
  if (model.drive.active() && model.nonlinear->range.size() > 0) return model.nonlinear->range;
  constexpr Index most_runs = 20, points = 400;
  const Index runs = std::min(most_runs, model.starts.cols());
  const double samples = static_cast<double>(model.data.samples) /
                         static_cast<double>(std::max<Index>(1, model.data.runs));
  const Vector times = Vector::LinSpaced(points, 0, std::max(1.0, samples - 1) * model.data.step);
  Matrix states(model.dimension(), runs * points);
  for (Index r = 0; r < runs; ++r)
    states.middleCols(r * points, points) = model.propagate_states(model.starts.col(r), times);
  return states.array().isFinite().select(states, 0.0);
}

std::vector<LawCurve> energy_curves(const ModelNonlinear& law, const Matrix& states) {
  std::vector<LawCurve> curves;
  const StateEnergy* energy = law.structure->state_energy();
  if (energy == nullptr) return curves;
  const Index n = law.structure->dimension();
  const Index along = law.recipe.name == "nonlinear-mechanical" ? n / 2 : n;
  for (Index i = 0; i < along; ++i) {
    LawCurve curve;
    const double reach = states.row(i).cwiseAbs().maxCoeff();
    curve.x = Vector::LinSpaced(curve_points, -reach, reach);
    const auto values = [&](const Vector& theta) {
      Vector result(curve_points);
      for (Index k = 0; k < curve_points; ++k)
        result[k] = energy->value(theta, curve.x[k] * Vector::Unit(n, i));
      return result;
    };
    curve.y = values(law.theta);
    if (law.covariance.size() > 0)
      curve.error =
          errors_of_slopes(slopes_by_differences(values, law.theta, curve_points), law.covariance);
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::vector<LawCurve> spring_curves(const ModelNonlinear& law, const Matrix& states) {
  return force_curves(law, states, false);
}

std::vector<LawCurve> damper_curves(const ModelNonlinear& law, const Matrix& states) {
  return force_curves(law, states, true);
}

std::optional<Backbone> find_backbone(const ModelNonlinear& law, const Matrix& states,
                                      Index points) {
  const auto centre = centre_of(law);
  if (!centre) return {};
  const double largest = (states.row(0).array() - centre->state[0]).abs().maxCoeff();
  const Vector asked = Vector::LinSpaced(points, largest / static_cast<double>(points), largest);
  // Amplitude, frequency and damping ratio of each, below one another.
  const auto values = [&](const Vector& theta) {
    const auto rest = law.structure->equilibrium(theta, centre->state);
    const NonlinearField field(*law.structure, theta);
    Vector result(3 * points);
    for (Index k = 0; k < points; ++k) {
      const Turn turn = follow_turn(field, rest ? *rest : centre->state, asked[k], centre->period);
      const double decrement = std::log(asked[k] / turn.left);
      result[k] = std::sqrt(asked[k] * turn.left);
      result[points + k] = std::hypot(1.0, decrement / (2 * std::numbers::pi)) / turn.period;
      result[2 * points + k] = decrement / std::hypot(2 * std::numbers::pi, decrement);
    }
    return result;
  };
  const Vector found = values(law.theta);
  Vector errors;
  if (law.covariance.size() > 0)
    errors =
        errors_of_slopes(slopes_by_differences(values, law.theta, found.size()), law.covariance);
  std::vector<Index> there;
  for (Index k = 0; k < points; ++k)
    if (std::isfinite(found[k]) && std::isfinite(found[points + k])) there.push_back(k);
  if (there.empty()) return {};
  const auto part = [&](const Vector& all, Index which) {
    Vector result(all.size() > 0 ? static_cast<Index>(there.size()) : 0);
    for (Index k = 0; k < result.size(); ++k)
      result[k] = all[which * points + there[static_cast<std::size_t>(k)]];
    return result;
  };
  return Backbone{part(found, 0), part(found, 1), part(found, 2), part(errors, 1), part(errors, 2)};
}

std::optional<Backbone> find_backbone(const Model& model, Index points) {
  if (!model.nonlinear || model.dimension() != 2) return {};
  auto found = find_backbone(*model.nonlinear, visited_states(model), points);
  if (found) {
    const double unit = seconds_in(model.time_unit).value_or(1);
    found->frequencies /= unit;
    found->frequency_errors /= unit;
  }
  return found;
}

}  // namespace lgn
