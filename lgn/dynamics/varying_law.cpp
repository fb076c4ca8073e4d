#include "lgn/dynamics/varying_law.h"

#include <cmath>
#include <numbers>

namespace lgn {

VaryingLaw& VaryingLaw::promise(Guarantee guarantee, std::function<Matrix(const Vector&)> energy) {
  guarantee_ = guarantee;
  energy_ = std::move(energy);
  return *this;
}

VaryingLaw& VaryingLaw::repeats(std::function<double(const Vector&)> period) {
  period_ = std::move(period);
  return *this;
}

std::optional<Matrix> VaryingLaw::energy(const Vector& p) const {
  if (!energy_) return {};
  return energy_(p);
}

std::optional<double> VaryingLaw::period(const Vector& p) const {
  if (!period_) return {};
  return period_(p);
}

VaryingLaw ltv_oscillator_law() {
  using Range = Constant::Range;
  VaryingLaw law("ltv-oscillator", 2,
                 {{"omega2", Range::positive, 1.2},
                  {"gamma0", Range::non_negative, 0.35},
                  {"a", Range::below_one, 0.15},
                  {"omega_d", Range::positive, 1.1}},
                 [](double t, const auto& p, auto& a) {
                   using std::sin;
                   a << 0, 1, -p[0], -p[1] * (1.0 + p[2] * sin(p[3] * t));
                 });
  law.promise({.stable = true, .dissipative = true}, [](const Vector& p) {
    return Matrix(Vector{{p[0], 1.0}}.asDiagonal());
  });
  law.repeats([](const Vector& p) { return 2 * std::numbers::pi / p[3]; });
  return law;
}

VaryingLaw ltv_chain_law(Index masses) {
  using Range = Constant::Range;
  return VaryingLaw("ltv-chain", 2 * masses,
                    {{"stiffness", Range::positive},
                     {"damping", Range::non_negative, 0.05},
                     {"drift", Range::below_one, 0.1},
                     {"tau", Range::positive, 10}},
                    [n = masses](double t, const auto& p, auto& a) {
                      using std::tanh;
                      const auto moved = p[0] * (1.0 + p[2] * tanh(t / p[3]));
                      for (Index i = 0; i < n; ++i) {
                        // Spring i is to the left of mass i, spring i + 1 to its right.
                        const auto left = i == (n + 1) / 2 ? moved : 1.0 * p[0];
                        const auto right = i + 1 == (n + 1) / 2 ? moved : 1.0 * p[0];
                        a(i, n + i) = 1;
                        a(n + i, i) = -left - right;
                        if (i > 0) a(n + i, i - 1) = left;
                        if (i + 1 < n) a(n + i, i + 1) = right;
                        a(n + i, n + i) = -p[1];
                      }
                    });
}

std::optional<VaryingLaw> find_varying_law(const std::string& name, Index dimension) {
  if (name == "ltv-oscillator") {
    require_fit(dimension == 2, name, "two states", dimension);
    return ltv_oscillator_law();
  }
  if (name == "ltv-chain") {
    require_fit(dimension >= 2 && dimension % 2 == 0, name, "a position and a velocity per mass",
                dimension);
    return ltv_chain_law(dimension / 2);
  }
  return {};
}

class VaryingParametric::Course final : public GeneratorCourse {
 public:
  Course(const VaryingParametric& structure, const Vector& theta, const Vector& times)
      : law_(structure.law_),
        times_(times),
        constants_(structure.constants_.values(theta)),
        slopes_(structure.constants_.slopes(theta)),
        generators_(law_.dimension(), law_.dimension() * times.size()) {
    const Index n = law_.dimension();
    for (Index k = 0; k < times.size(); ++k)
      generators_.middleCols(k * n, n) = law_.generator(times[k], constants_);
  }

  const Matrix& generators() const override { return generators_; }

  Vector pullback(const Matrix& g) const override {
    const Index n = law_.dimension();
    Vector result = Vector::Zero(constants_.size());
    for (Index k = 0; k < times_.size(); ++k) result += pullback_at(k, g.middleCols(k * n, n));
    return result;
  }

  Matrix pullback_at(Index k, const Matrix& g) const override {
    const Index n = law_.dimension(), count = g.cols() / n;
    Matrix result(constants_.size(), count);
    for (Index q = 0; q < constants_.size(); ++q) {
      const Matrix derivative = slopes_[q] * law_.derivative(times_[k], constants_, q);
      for (Index i = 0; i < count; ++i)
        result(q, i) = derivative.cwiseProduct(g.middleCols(i * n, n)).sum();
    }
    return result;
  }

  Matrix pushforward(const Vector& delta) const override {
    const Index n = law_.dimension();
    Matrix result = Matrix::Zero(n, n * times_.size());
    for (Index k = 0; k < times_.size(); ++k)
      for (Index q = 0; q < constants_.size(); ++q)
        result.middleCols(k * n, n) +=
            delta[q] * slopes_[q] * law_.derivative(times_[k], constants_, q);
    return result;
  }

 private:
  const VaryingLaw& law_;
  Vector times_, constants_, slopes_;
  Matrix generators_;
};

class VaryingParametric::Sampled final : public SampledStructure {
 public:
  Sampled(const VaryingParametric& structure, const Vector& times)
      : structure_(structure), times_(times) {}
  std::unique_ptr<const GeneratorCourse> course(const Vector& theta) const override {
    return std::make_unique<Course>(structure_, theta, times_);
  }

 private:
  const VaryingParametric& structure_;
  Vector times_;
};

std::unique_ptr<const SampledStructure> VaryingParametric::sample(const Vector& times) const {
  return std::make_unique<Sampled>(*this, times);
}

}  // namespace lgn
