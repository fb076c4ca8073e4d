#include "lgn/identify/nonlinear/frozen_law.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/gauss_legendre.h"
#include "lgn/core/setting.h"

namespace lgn {
namespace {

/// A(t_k) = C(θ) M_k.
class FrozenCourse final : public GeneratorCourse {
 public:
  /// `averages`: M_k side by side; `slopes` of C, by parameters that move (−1: the others).
  FrozenCourse(const Matrix& averages, const Matrix& c,
               std::vector<NonlinearStructure::Slope> slopes, Index parameters)
      : averages_(averages),
        slopes_(std::move(slopes)),
        parameters_(parameters),
        generators_(c * averages) {}

  const Matrix& generators() const override { return generators_; }
  Vector pullback(const Matrix& g) const override {
    const Index n = generators_.rows();
    Matrix sum = Matrix::Zero(n, averages_.rows());
    for (Index k = 0; k < generators_.cols() / n; ++k)
      sum.noalias() += g.middleCols(k * n, n) * averages_.middleCols(k * n, n).transpose();
    return pulled(sum);
  }
  Matrix pullback_at(Index k, const Matrix& g) const override {
    const Index n = generators_.rows(), count = g.cols() / n;
    Matrix result(parameters_, count);
    for (Index i = 0; i < count; ++i)
      result.col(i) = pulled(g.middleCols(i * n, n) * averages_.middleCols(k * n, n).transpose());
    return result;
  }
  Matrix pushforward(const Vector& delta) const override {
    Matrix change = Matrix::Zero(generators_.rows(), averages_.rows());
    for (const auto& [row, function, parameter, value] : slopes_)
      if (parameter >= 0) change(row, function) += value * delta[parameter];
    return change * averages_;
  }

 private:
  /// (∂C/∂θ)ᵀ of ∂ℓ/∂C.
  Vector pulled(const Matrix& g) const {
    Vector result = Vector::Zero(parameters_);
    for (const auto& [row, function, parameter, value] : slopes_)
      if (parameter >= 0) result[parameter] += value * g(row, function);
    return result;
  }

  const Matrix& averages_;
  std::vector<NonlinearStructure::Slope> slopes_;
  Index parameters_;
  Matrix generators_;
};

class SampledFrozenLaw final : public SampledStructure {
 public:
  SampledFrozenLaw(const NonlinearStructure& law, const FrozenLaw& frozen,
                   const std::vector<Index>& moving, Matrix averages)
      : law_(law), frozen_(frozen), averages_(std::move(averages)) {
    places_.assign(static_cast<std::size_t>(law.parameters()), -1);
    for (std::size_t k = 0; k < moving.size(); ++k)
      places_[static_cast<std::size_t>(moving[k])] = static_cast<Index>(k);
  }
  std::unique_ptr<const GeneratorCourse> course(const Vector& theta) const override {
    const Vector whole = frozen_.whole(theta);
    auto slopes = law_.coefficient_slopes(whole);
    for (auto& slope : slopes) slope.parameter = places_[static_cast<std::size_t>(slope.parameter)];
    return std::make_unique<FrozenCourse>(averages_, law_.coefficients(whole), std::move(slopes),
                                          theta.size());
  }

 private:
  const NonlinearStructure& law_;
  const FrozenLaw& frozen_;
  Matrix averages_;
  std::vector<Index> places_;
};

}  // namespace

FrozenLaw::FrozenLaw(const NonlinearStructure& law, const Vector& theta, std::vector<Index> moving,
                     std::vector<Course> courses)
    : law_(law), theta_(theta), moving_(std::move(moving)), courses_(std::move(courses)) {
  const auto& functions = law.functions().functions();
  const Index n = law.dimension();
  Vector there = theta;
  for (const Index k : moving_) there[k] = 1;
  const Vector at_rest = law.coefficients(there) * law.functions().values(Vector::Zero(n));
  if (at_rest.cwiseAbs().maxCoeff() > 0)
    throw Error("a law with constant terms has no linear generator to freeze",
                "use " + setting("method", "mle"));
  for (std::size_t f = 0; f < functions.size(); ++f)
    for (const auto& [state, coefficient, factors] : slopes_of(functions[f], n))
      slopes_.push_back({static_cast<Index>(f), state, coefficient, factors});
}

std::vector<std::string> FrozenLaw::parameter_names() const {
  const auto all = law_.parameter_names();
  std::vector<std::string> names;
  for (const Index k : moving_) names.push_back(all[static_cast<std::size_t>(k)]);
  return names;
}

Vector FrozenLaw::lower_bounds() const { return law_.lower_bounds()(moving_); }

std::vector<NamedValue> FrozenLaw::named_values(const Vector& theta) const {
  const auto all = law_.named_values(whole(theta));
  std::vector<NamedValue> result;
  for (const Index k : moving_) result.push_back(all[static_cast<std::size_t>(k)]);
  return result;
}

Vector FrozenLaw::whole(const Vector& moved) const {
  Vector theta = theta_;
  theta(moving_) = moved;
  return theta;
}

Matrix FrozenLaw::averaged_slopes(const Vector& x) const {
  // Exact for polynomials of degree 15 along the ray; of the sine of an angle up to π it leaves 1e-13.
  static const GaussRule rule = gauss_legendre(8);
  Matrix result = Matrix::Zero(law_.functions().size(), x.size());
  for (Index g = 0; g < rule.points.size(); ++g) {
    const FactorValues z = factor_values(0.5 * (1 + rule.points[g]) * x, law_.functions().angles());
    for (const auto& [function, state, coefficient, factors] : slopes_) {
      double value = 0.5 * rule.weights[g] * coefficient;
      for (const int code : factors) value *= z[code];
      result(function, state) += value;
    }
  }
  return result;
}

Vector FrozenLaw::state_at(double time) const {
  // The last course that has begun.
  auto course = std::upper_bound(courses_.begin(), courses_.end(), time,
                                 [](double t, const Course& c) { return t < c.times[0]; });
  if (course != courses_.begin()) --course;
  const Vector& times = course->times;
  const Index after = std::upper_bound(times.begin(), times.end(), time) - times.begin();
  const Index k = std::clamp<Index>(after - 1, 0, times.size() - 2);
  const double h = times[k + 1] - times[k], s = (time - times[k]) / h, r = 1 - s;
  return r * r * (1 + 2 * s) * course->states.col(k) +
         s * s * (1 + 2 * r) * course->states.col(k + 1) +
         h * s * r * (r * course->slopes.col(k) - s * course->slopes.col(k + 1));
}

std::unique_ptr<const SampledStructure> FrozenLaw::sample(const Vector& times) const {
  const Index n = dimension();
  Matrix averages(law_.functions().size(), n * times.size());
  for (Index k = 0; k < times.size(); ++k)
    averages.middleCols(k * n, n) = averaged_slopes(state_at(times[k]));
  return std::make_unique<SampledFrozenLaw>(law_, *this, moving_, std::move(averages));
}

}  // namespace lgn
