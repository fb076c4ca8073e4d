#include "lgn/dynamics/modulated.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "lgn/core/error.h"

namespace lgn {
namespace {

double softplus(double u) { return std::max(u, 0.0) + std::log1p(std::exp(-std::abs(u))); }
double softplus_slope(double u) { return 1 / (1 + std::exp(-u)); }
/// u with softplus(u) = d; far below zero for d = 0.
double softplus_inverse(double d) {
  const double positive = std::max(d, 1e-12);
  return positive + std::log(-std::expm1(-positive));
}

}  // namespace

ModulatedStructure::ModulatedStructure(std::shared_ptr<const ConstantStructure> base,
                                       std::shared_ptr<const TimeBasis> basis,
                                       std::vector<std::vector<Index>> active, Link link)
    : base_(std::move(base)),
      basis_(std::move(basis)),
      active_(std::move(active)),
      link_(link),
      bounds_(base_->lower_bounds()) {
  if (active_.empty()) {
    // Where splines sum to one, the constant beside them would be one function too many.
    std::vector<Index> all(static_cast<std::size_t>(basis_->size()));
    std::iota(all.begin(), all.end(), Index{0});
    if (basis_->partitions_unity()) all.erase(all.begin());
    active_.assign(static_cast<std::size_t>(entries()), all);
  }
  if (static_cast<Index>(active_.size()) != entries())
    throw Error("a modulated structure needs the functions of each of its entries");
  parameters_ = basis_->parameters();
  for (const auto& functions : active_) {
    const bool ascends = std::adjacent_find(functions.begin(), functions.end(),
                                            std::greater_equal<>()) == functions.end();
    if (functions.empty() || !ascends || functions.front() < 0 ||
        functions.back() >= basis_->size())
      throw Error("an entry has functions that the basis does not have");
    first_.push_back(parameters_);
    parameters_ += static_cast<Index>(functions.size());
  }
}

Guarantee ModulatedStructure::guarantee() const {
  // Where units may differ, the energy's matrix is made of parameters, and would vary with them.
  return base_->common_unit() || constant() ? base_->guarantee() : Guarantee{};
}

bool ModulatedStructure::constant() const {
  return std::all_of(active_.begin(), active_.end(), [](const auto& functions) {
    return functions.size() == 1 && functions[0] == 0;
  });
}

std::vector<std::string> ModulatedStructure::parameter_names() const {
  std::vector<std::string> names;
  for (Index k = 1; k <= basis_->parameters(); ++k) names.push_back(fmt::format("omega{}", k));
  const auto entry_names = base_->parameter_names();
  for (std::size_t e = 0; e < active_.size(); ++e)
    for (const Index f : active_[e]) {
      const std::string function = basis_->function_name(f);
      names.push_back(function.empty() ? entry_names[e] : entry_names[e] + "." + function);
    }
  return names;
}

Index ModulatedStructure::place(Index entry, Index function) const {
  const auto& functions = active_[static_cast<std::size_t>(entry)];
  const auto found = std::find(functions.begin(), functions.end(), function);
  if (found == functions.end()) return -1;
  return first_[static_cast<std::size_t>(entry)] + (found - functions.begin());
}

Matrix ModulatedStructure::coefficients(const Vector& theta) const {
  Matrix c = Matrix::Zero(entries(), basis_->size());
  Index k = basis_->parameters();
  for (std::size_t e = 0; e < active_.size(); ++e)
    for (const Index f : active_[e]) c(static_cast<Index>(e), f) = theta[k++];
  return c;
}

Vector ModulatedStructure::theta_of(const Vector& omega, const Matrix& coefficients) const {
  Vector theta(parameters_);
  theta.head(omega.size()) = omega;
  Index k = omega.size();
  for (std::size_t e = 0; e < active_.size(); ++e)
    for (const Index f : active_[e]) theta[k++] = coefficients(static_cast<Index>(e), f);
  return theta;
}

Vector ModulatedStructure::base_parameters(const Vector& u) const {
  if (link_ == Link::clip) return u;
  Vector theta = u;
  for (Index e = 0; e < u.size(); ++e)
    if (bounds_[e] == 0) theta[e] = softplus(u[e]);
  return theta;
}

Vector ModulatedStructure::course_values(const Vector& base_theta) const {
  if (link_ == Link::clip) return base_theta;
  Vector u = base_theta;
  for (Index e = 0; e < u.size(); ++e)
    if (bounds_[e] == 0) u[e] = softplus_inverse(u[e]);
  return u;
}

Vector ModulatedStructure::lower_bounds() const {
  constexpr double lowest_frequency = 1e-9;
  Vector bounds = Vector::Constant(parameters_, -std::numeric_limits<double>::infinity());
  bounds.head(basis_->parameters()).setConstant(lowest_frequency);
  if (link_ == Link::softplus) return bounds;
  Index k = basis_->parameters();
  for (std::size_t e = 0; e < active_.size(); ++e)
    for (const Index f : active_[e]) {
      if (f == 0 || basis_->partitions_unity()) bounds[k] = bounds_[static_cast<Index>(e)];
      ++k;
    }
  return bounds;
}

Vector ModulatedStructure::largest_steps(double duration) const {
  Vector limits = Structure::largest_steps(duration);
  limits.head(basis_->parameters()).setConstant(std::numbers::pi / 2 / duration);
  return limits;
}

std::vector<NamedValue> ModulatedStructure::named_values(const Vector& theta) const {
  const auto names = parameter_names();
  std::vector<NamedValue> values;
  for (Index k = 0; k < theta.size(); ++k)
    values.push_back({names[static_cast<std::size_t>(k)], Matrix::Constant(1, 1, theta[k]),
                      NamedValue::Shape::scalar});
  return values;
}

std::optional<Matrix> ModulatedStructure::energy(const Vector& theta) const {
  if (!guarantee().dissipative) return {};
  return base_->energy(base_parameters(coefficients(theta).col(0)));
}

std::optional<double> ModulatedStructure::period(const Vector& theta) const {
  return basis_->period(omega(theta));
}

std::vector<double> ModulatedStructure::corners(const Vector& theta, const Vector& times) const {
  std::vector<double> found;
  if (constant() || times.size() < 2) return found;
  for (const double knot : basis_->knots())
    if (times[0] < knot && knot < times[times.size() - 1]) found.push_back(knot);
  if (link_ == Link::softplus || (bounds_.array() != 0).all()) return found;
  const Matrix c = coefficients(theta);
  const Vector frequencies = omega(theta);
  const Matrix u = c * basis_->values(frequencies, times);
  for (Index e = 0; e < u.rows(); ++e)
    for (Index k = 1; k < u.cols() && bounds_[e] == 0; ++k) {
      if ((u(e, k) > 0) == (u(e, k - 1) > 0)) continue;
      double before = times[k - 1], after = times[k];
      for (int halving = 0; halving < std::numeric_limits<double>::digits; ++halving) {
        const double middle = (before + after) / 2;
        const double value =
            c.row(e).dot(basis_->values(frequencies, Vector::Constant(1, middle)).col(0));
        ((value > 0) == (u(e, k) > 0) ? after : before) = middle;
      }
      found.push_back(after);
    }
  return found;
}

class ModulatedStructure::Course final : public GeneratorCourse {
 public:
  Course(const ModulatedStructure& structure, const Vector& theta,
         std::shared_ptr<const Matrix> functions, Matrix slopes)
      : structure_(structure),
        shared_functions_(std::move(functions)),
        functions_(*shared_functions_),
        slopes_(std::move(slopes)),
        coefficients_(structure.coefficients(theta)),
        entries_(coefficients_ * functions_) {
    const Index n = structure.dimension(), times = functions_.cols();
    if (structure.link_ == Link::softplus) link_slopes_.setOnes(entries_.rows(), times);
    for (Index e = 0; e < entries_.rows() && structure.link_ == Link::softplus; ++e)
      if (structure.bounds_[e] == 0) {
        link_slopes_.row(e) = entries_.row(e).unaryExpr(&softplus_slope);
        entries_.row(e) = entries_.row(e).unaryExpr(&softplus).eval();
      }
    generators_.resize(n, n * times);
    for (Index k = 0; k < times; ++k)
      generators_.middleCols(k * n, n) = structure.base_->generator(entries_.col(k));
  }

  const Matrix& generators() const override { return generators_; }

  Vector pullback(const Matrix& g) const override {
    const Index n = structure_.dimension();
    Matrix pulled(entries_.rows(), entries_.cols());
    for (Index k = 0; k < pulled.cols(); ++k)
      pulled.col(k) = structure_.base_->pullback(entries_.col(k), g.middleCols(k * n, n));
    if (link_slopes_.size() > 0) pulled.array() *= link_slopes_.array();
    const Matrix by_function = pulled * functions_.transpose();
    Vector omega = Vector::Zero(structure_.basis_->parameters());
    if (omega.size() > 0 && pulled.rows() > 0) {
      const Vector sums =
          (coefficients_.transpose() * pulled).cwiseProduct(slopes_).rowwise().sum();
      add_to_owners(sums, omega);
    }
    return structure_.theta_of(omega, by_function);
  }

  Matrix pullback_at(Index k, const Matrix& g) const override {
    const Index n = structure_.dimension(), count = g.cols() / n;
    const Index own = structure_.basis_->parameters();
    Matrix result(structure_.parameters_, count);
    for (Index i = 0; i < count; ++i) {
      Vector pulled = structure_.base_->pullback(entries_.col(k), g.middleCols(i * n, n));
      if (link_slopes_.size() > 0) pulled.array() *= link_slopes_.col(k).array();
      result.col(i).head(own).setZero();
      if (own > 0 && pulled.size() > 0)
        add_to_owners((coefficients_.transpose() * pulled).cwiseProduct(slopes_.col(k)),
                      result.col(i));
      Index q = own;
      for (std::size_t e = 0; e < structure_.active_.size(); ++e)
        for (const Index f : structure_.active_[e])
          result(q++, i) = pulled[static_cast<Index>(e)] * functions_(f, k);
    }
    return result;
  }

  Matrix pushforward(const Vector& delta) const override {
    const Index n = structure_.dimension();
    Matrix moved = structure_.coefficients(delta) * functions_;
    if (const Index own = structure_.basis_->parameters(); own > 0)
      for (Index f = 0; f < functions_.rows(); ++f)
        if (const Index owner = structure_.basis_->owner(f); owner >= 0)
          moved += coefficients_.col(f) * (delta[owner] * slopes_.row(f));
    if (link_slopes_.size() > 0) moved.array() *= link_slopes_.array();
    Matrix result(n, n * moved.cols());
    for (Index k = 0; k < moved.cols(); ++k)
      result.middleCols(k * n, n) = structure_.base_->pushforward(entries_.col(k), moved.col(k));
    return result;
  }

 private:
  /// What each function's change along its parameter makes.
  void add_to_owners(const Vector& sums, Eigen::Ref<Vector> omega) const {
    for (Index f = 0; f < sums.size(); ++f)
      if (const Index owner = structure_.basis_->owner(f); owner >= 0) omega[owner] += sums[f];
  }

  const ModulatedStructure& structure_;
  const std::shared_ptr<const Matrix> shared_functions_;
  const Matrix& functions_;
  const Matrix slopes_;
  Matrix coefficients_, entries_, link_slopes_, generators_;
};

class ModulatedStructure::Sampled final : public SampledStructure {
 public:
  Sampled(const ModulatedStructure& structure, const Vector& times)
      : structure_(structure), times_(times) {
    if (structure.basis_->parameters() == 0)
      fixed_ = std::make_shared<const Matrix>(structure.basis_->values({}, times));
  }
  std::unique_ptr<const GeneratorCourse> course(const Vector& theta) const override {
    const TimeBasis& basis = *structure_.basis_;
    if (fixed_) return std::make_unique<Course>(structure_, theta, fixed_, Matrix());
    const Vector omega = structure_.omega(theta);
    return std::make_unique<Course>(structure_, theta,
                                    std::make_shared<const Matrix>(basis.values(omega, times_)),
                                    basis.slopes(omega, times_));
  }

 private:
  const ModulatedStructure& structure_;
  Vector times_;
  std::shared_ptr<const Matrix> fixed_;  ///< the functions, where they do not depend on θ
};

std::unique_ptr<const SampledStructure> ModulatedStructure::sample(const Vector& times) const {
  return std::make_unique<Sampled>(*this, times);
}

}  // namespace lgn
