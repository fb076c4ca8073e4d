#include "lgn/dynamics/nonlinear_structures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "lgn/core/error.h"
#include "lgn/dynamics/mass_forces.h"

namespace lgn {
namespace {

constexpr double anything = -std::numeric_limits<double>::infinity();
/// Of scales, which are positive.
constexpr double smallest_scale = 1e-9;
/// In place of a parameter that is 1.
constexpr Index one = -1;

/// Parameters and entries as they are added.
struct Composition {
  Index n;
  std::vector<NonlinearStructure::Parameter> parameters = {};
  std::vector<NonlinearStructure::Entry> entries = {};

  Index parameter(std::string name, double lower = anything, double start = 0, bool scale = false) {
    parameters.push_back({std::move(name), lower, start, scale});
    return static_cast<Index>(parameters.size()) - 1;
  }
  /// q_1 = 1, q_2, …
  std::vector<Index> scales(const std::string& name, Index count) {
    std::vector<Index> result{one};
    for (Index i = 1; i < count; ++i)
      result.push_back(parameter(fmt::format("{}{}", name, i + 1), smallest_scale, 1, true));
    return result;
  }
  void add(Index row, const Factors& factors, double coefficient, std::vector<Index> which) {
    std::erase(which, one);
    entries.push_back({row, factors, coefficient, std::move(which)});
  }
  std::shared_ptr<const NonlinearStructure> done(
      const std::string& name, std::shared_ptr<const StateEnergy> energy = nullptr) const {
    return std::make_shared<NonlinearStructure>(name, n, parameters, entries, std::move(energy));
  }
};

int code(Index state) { return static_cast<int>(state); }

double scale_of(const Vector& theta, Index parameter) {
  return parameter == one ? 1 : theta[parameter];
}

std::vector<Index> from(Index first, Index n) {
  std::vector<Index> result(static_cast<std::size_t>(n - first));
  std::iota(result.begin(), result.end(), first);
  return result;
}

/// S(x) Q x with polynomials of degrees below `degree` in S, from `lowest` on.
void add_gyroscopic(Composition& law, const std::vector<Index>& q, Index lowest, Index degree) {
  for (Index i = 0; i < law.n; ++i)
    for (Index j = i + 1; j < law.n; ++j)
      for (Index d = lowest; d < degree; ++d)
        for (const Factors& product : products_of(from(i, law.n), d)) {
          std::string name = fmt::format("S{},{}", i + 1, j + 1);
          for (const int state : product) name += fmt::format(" x{}", state + 1);
          const Index s = law.parameter(name);
          law.add(i, times(product, {code(j)}), 1, {s, q[static_cast<std::size_t>(j)]});
          law.add(j, times(product, {code(i)}), -1, {s, q[static_cast<std::size_t>(i)]});
        }
}

/// ½ xᵀQx with a diagonal Q.
class DiagonalEnergy final : public StateEnergy {
 public:
  explicit DiagonalEnergy(std::vector<Index> q) : q_(std::move(q)) {}
  double value(const Vector& theta, const Eigen::Ref<const Vector>& x) const override {
    return 0.5 * x.dot(gradient(theta, x));
  }
  Vector gradient(const Vector& theta, const Eigen::Ref<const Vector>& x) const override {
    Vector result = x;
    for (Index i = 0; i < x.size(); ++i)
      result[i] *= scale_of(theta, q_[static_cast<std::size_t>(i)]);
    return result;
  }
  bool quadratic() const override { return true; }

 private:
  std::vector<Index> q_;
};

/// V(q) + Σ ½ v²/w.
class MechanicalEnergy final : public StateEnergy {
 public:
  struct Spring {
    Index i, j, degree, parameter;  ///< j = −1: the ground; degree 0: 1 − cos q_i
  };
  MechanicalEnergy(std::vector<Spring> springs, std::vector<Index> w)
      : springs_(std::move(springs)), w_(std::move(w)) {}
  double value(const Vector& theta, const Eigen::Ref<const Vector>& x) const override {
    double result = 0;
    for (const Spring& s : springs_) {
      const double e = s.j < 0 ? x[s.i] : x[s.i] - x[s.j];
      // 1 − cos q without its cancellation.
      const double half = std::sin(0.5 * e);
      result +=
          theta[s.parameter] *
          (s.degree == 0 ? 2 * half * half : std::pow(e, s.degree) / static_cast<double>(s.degree));
    }
    const Index masses = static_cast<Index>(w_.size());
    for (Index i = 0; i < masses; ++i)
      result +=
          0.5 * x[masses + i] * x[masses + i] / scale_of(theta, w_[static_cast<std::size_t>(i)]);
    return result;
  }
  Vector gradient(const Vector& theta, const Eigen::Ref<const Vector>& x) const override {
    Vector result = Vector::Zero(x.size());
    for (const Spring& s : springs_) {
      const double e = s.j < 0 ? x[s.i] : x[s.i] - x[s.j];
      const double force =
          theta[s.parameter] * (s.degree == 0 ? std::sin(e) : std::pow(e, s.degree - 1));
      result[s.i] += force;
      if (s.j >= 0) result[s.j] -= force;
    }
    const Index masses = static_cast<Index>(w_.size());
    for (Index i = 0; i < masses; ++i)
      result[masses + i] = x[masses + i] / scale_of(theta, w_[static_cast<std::size_t>(i)]);
    return result;
  }

 private:
  std::vector<Spring> springs_;
  std::vector<Index> w_;
};

/// Σ ∫ e_i/p_i.
class StorageEnergy final : public StateEnergy {
 public:
  StorageEnergy(std::vector<Index> q, std::vector<Index> a, std::vector<Index> b)
      : q_(std::move(q)), a_(std::move(a)), b_(std::move(b)) {}
  double value(const Vector& theta, const Eigen::Ref<const Vector>& x) const override {
    double result = 0;
    for (Index i = 0; i < x.size(); ++i) {
      const auto [q, a, b] = constants(theta, i);
      const double u = x[i] * x[i], z = a * u;
      // ∫ du/(1 + au) and ∫ u du/(1 + au), by their series where a u is small.
      const double first = z > 1e-4 ? std::log1p(z) / a : u * (1 - z / 2 + z * z / 3);
      const double second = z > 1e-4 ? (u - first) / a : u * u * (0.5 - z / 3 + z * z / 4);
      result += 0.5 * q * (first + b * second);
    }
    return result;
  }
  Vector gradient(const Vector& theta, const Eigen::Ref<const Vector>& x) const override {
    Vector result(x.size());
    for (Index i = 0; i < x.size(); ++i) {
      const auto [q, a, b] = constants(theta, i);
      const double u = x[i] * x[i];
      result[i] = q * x[i] * (1 + b * u) / (1 + a * u);
    }
    return result;
  }

 private:
  struct Constants {
    double q, a, b;
  };
  Constants constants(const Vector& theta, Index i) const {
    const auto k = static_cast<std::size_t>(i);
    return {scale_of(theta, q_[k]), theta[a_[k]], theta[b_[k]]};
  }
  std::vector<Index> q_, a_, b_;
};

/// (x_i − x_j)^power, or x_i^power where j < 0: coefficients and products.
std::vector<std::pair<double, Factors>> power_of_difference(Index i, Index j, Index power) {
  if (j < 0) return {{1, Factors(static_cast<std::size_t>(power), code(i))}};
  std::vector<std::pair<double, Factors>> result;
  double binomial = 1;
  for (Index m = 0; m <= power; ++m) {
    Factors factors(static_cast<std::size_t>(power - m), code(i));
    factors.insert(factors.end(), static_cast<std::size_t>(m), code(j));
    result.emplace_back(m % 2 == 0 ? binomial : -binomial, times(factors, {}));
    binomial *= static_cast<double>(power - m) / static_cast<double>(m + 1);
  }
  return result;
}

}  // namespace

std::shared_ptr<const NonlinearStructure> gyro_structure(Index states, Index degree) {
  Composition law{states};
  const std::vector<Index> q = law.scales("q", states);
  add_gyroscopic(law, q, 0, degree);
  for (Index i = 0; i < states; ++i) {
    const Index scale = q[static_cast<std::size_t>(i)];
    law.add(i, {code(i)}, -1, {law.parameter(fmt::format("d{}", i + 1), 0), scale});
    for (Index j = 0; j < states && degree >= 3; ++j)
      law.add(i, times({code(i)}, {code(j), code(j)}), -1,
              {law.parameter(fmt::format("d{} x{}^2", i + 1, j + 1), 0), scale});
  }
  return law.done("gyro", std::make_shared<DiagonalEnergy>(q));
}

std::vector<MassForce> mass_forces(Index masses, const MechanicalTerms& terms) {
  std::vector<MassForce> result;
  Index parameter = masses - 1;  // after the inverse masses
  const auto add = [&](MassForce::Kind kind, Index i, Index j, Index power, double lower) {
    std::string name = fmt::format("{}{}", kind == MassForce::Kind::damper ? 'c' : 'k', i + 1);
    if (j >= 0) name += fmt::format("-{}", j + 1);
    if (kind == MassForce::Kind::pendulum)
      name += " sin";
    else if (power > 1)
      name += fmt::format("^{}", power);
    result.push_back({kind, i, j, power, std::move(name), lower, parameter++});
  };
  for (Index i = 0; i < masses; ++i)
    for (Index j = -1; j < (terms.couplings ? masses : 0); ++j) {
      if (j >= 0 && j <= i) continue;
      for (const Index degree : terms.springs)
        add(MassForce::Kind::spring, i, j, degree - 1, degree % 2 == 0 ? 0 : anything);
      for (const Index power : terms.dampers) add(MassForce::Kind::damper, i, j, power, 0);
    }
  for (const Index i : terms.angles) add(MassForce::Kind::pendulum, i, -1, 1, anything);
  return result;
}

std::shared_ptr<const NonlinearStructure> nonlinear_mechanical_structure(
    Index masses, const MechanicalTerms& terms) {
  Composition law{2 * masses};
  const std::vector<Index> w = law.scales("1/m", masses);
  std::vector<MechanicalEnergy::Spring> springs;
  for (Index i = 0; i < masses; ++i) law.add(i, {code(masses + i)}, 1, {});
  const auto inverse_mass = [&](Index i) { return w[static_cast<std::size_t>(i)]; };
  // A force that depends on e = q_i − q_j, or on its rate (`first` = masses), on both ends.
  const auto force = [&](Index i, Index j, Index first, Index power, Index parameter) {
    for (const auto& [coefficient, factors] :
         power_of_difference(first + i, j < 0 ? -1 : first + j, power)) {
      law.add(masses + i, factors, -coefficient, {parameter, inverse_mass(i)});
      if (j >= 0) law.add(masses + j, factors, coefficient, {parameter, inverse_mass(j)});
    }
  };
  for (const MassForce& one : mass_forces(masses, terms)) {
    const Index k = law.parameter(one.name, one.lower);
    assert(k == one.parameter);
    if (one.kind == MassForce::Kind::pendulum) {
      law.add(masses + one.i, {sine_of(one.i, 2 * masses)}, -1, {k, inverse_mass(one.i)});
      springs.push_back({one.i, -1, 0, k});
    } else if (one.kind == MassForce::Kind::spring) {
      force(one.i, one.j, 0, one.power, k);
      springs.push_back({one.i, one.j, one.power + 1, k});
    } else {
      force(one.i, one.j, masses, one.power, k);
    }
  }
  return law.done("nonlinear-mechanical",
                  std::make_shared<MechanicalEnergy>(std::move(springs), w));
}

std::shared_ptr<const NonlinearStructure> storage_structure(Index states) {
  Composition law{states};
  const std::vector<Index> q = law.scales("q", states);
  std::vector<Index> a, b;
  for (Index i = 0; i < states; ++i) a.push_back(law.parameter(fmt::format("a{}", i + 1), 0));
  for (Index i = 0; i < states; ++i) b.push_back(law.parameter(fmt::format("b{}", i + 1), 0));
  // p_i(x_i) e_j(x_j), multiplied out.
  const auto flow = [&](Index i, Index j, double sign, Index s) {
    const auto at = static_cast<std::size_t>(j);
    const Factors i2{code(i), code(i)}, j1{code(j)}, j3{code(j), code(j), code(j)};
    const Index ai = a[static_cast<std::size_t>(i)];
    law.add(i, j1, sign, {s, q[at]});
    law.add(i, j3, sign, {s, q[at], b[at]});
    law.add(i, times(i2, j1), sign, {s, q[at], ai});
    law.add(i, times(i2, j3), sign, {s, q[at], ai, b[at]});
  };
  for (Index i = 0; i < states; ++i)
    for (Index j = i + 1; j < states; ++j) {
      const Index s = law.parameter(fmt::format("S{},{}", i + 1, j + 1));
      flow(i, j, 1, s);
      flow(j, i, -1, s);
    }
  for (Index i = 0; i < states; ++i) flow(i, i, -1, law.parameter(fmt::format("d{}", i + 1), 0));
  return law.done("storage", std::make_shared<StorageEnergy>(q, a, b));
}

std::shared_ptr<const NonlinearStructure> lossless_structure(Index states) {
  Composition law{states};
  const std::vector<Index> q = law.scales("q", states);
  for (Index i = 0; i < states; ++i) law.add(i, {}, 1, {law.parameter(fmt::format("b{}", i + 1))});
  for (Index i = 0; i < states; ++i)
    for (Index j = 0; j < states; ++j)
      law.add(i, {code(j)}, 1, {law.parameter(fmt::format("A{},{}", i + 1, j + 1))});
  add_gyroscopic(law, q, 1, 2);
  return law.done("lossless");
}

std::shared_ptr<const NonlinearStructure> polynomial_structure(Index states, Index degree) {
  Composition law{states};
  std::vector<std::string> names;
  for (Index i = 0; i < states; ++i) names.push_back(fmt::format("x{}", i + 1));
  for (Index i = 0; i < states; ++i)
    for (Index d = 0; d <= degree; ++d)
      for (const Factors& product : products_of(from(0, states), d))
        law.add(i, product, 1,
                {law.parameter(fmt::format("f{} {}", i + 1, text_of(product, names)))});
  return law.done("polynomial");
}

const std::vector<std::string>& nonlinear_structure_names() {
  static const std::vector<std::string> names{"gyro", "nonlinear-mechanical", "storage", "lossless",
                                              "polynomial"};
  return names;
}

namespace {

std::shared_ptr<const NonlinearStructure> build_free(const NonlinearRecipe& recipe) {
  const Index states = recipe.states, degree = recipe.degree;
  if (recipe.name == "gyro") return gyro_structure(states, degree > 0 ? degree : 2);
  if (recipe.name == "storage") return storage_structure(states);
  if (recipe.name == "lossless") return lossless_structure(states);
  if (recipe.name == "polynomial") return polynomial_structure(states, degree > 0 ? degree : 3);
  if (recipe.name == "nonlinear-mechanical") {
    if (states % 2 != 0)
      throw Error(fmt::format("masses with {} states", states),
                  "name positions first, then a velocity for each of them");
    return nonlinear_mechanical_structure(states / 2, recipe.mechanical);
  }
  throw Error(fmt::format("unknown nonlinear structure \"{}\"", recipe.name),
              fmt::format("they are {}", fmt::join(nonlinear_structure_names(), ", ")));
}

}  // namespace

std::shared_ptr<const NonlinearStructure> build_nonlinear(const NonlinearRecipe& recipe) {
  constexpr Index most_degree = 5;
  if (recipe.states < 1 || recipe.states > most_nonlinear_states || recipe.degree < 0 ||
      recipe.degree > most_degree)
    throw Error(
        fmt::format("a nonlinear law of {} states and degree {}", recipe.states, recipe.degree),
        fmt::format("it has 1 to {} states, and a degree up to {}", most_nonlinear_states,
                    most_degree));
  if (recipe.inputs < 0 || recipe.inputs > most_nonlinear_inputs)
    throw Error(fmt::format("a nonlinear law with {} inputs", recipe.inputs),
                fmt::format("it has at most {}", most_nonlinear_inputs));
  const auto free = build_free(recipe);
  if (recipe.inputs == 0) return free;
  const bool masses = recipe.name == "nonlinear-mechanical";
  return free->driven(recipe.inputs, from(masses ? recipe.states / 2 : 0, recipe.states));
}

}  // namespace lgn
