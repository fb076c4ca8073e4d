#include "lgn/design/uncertain_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/design/expression.h"

namespace lgn {
namespace {

using Type = Network::Type;

/// 95% of a normal distribution.
constexpr double half_width = 1.959963984540054;

/// R with R Rᵀ = covariance, whose negative eigenvalues, of rounding, count as zero.
Matrix root_of(const Matrix& covariance) {
  if (covariance.size() == 0) return covariance;
  const SymmetricEigen eigen = symmetric_eigen(covariance);
  return eigen.vectors * Matrix(eigen.values.cwiseMax(0.0).cwiseSqrt().asDiagonal());
}

/// δ of every value: which entry of θ it follows, and by what factor.
struct Follows {
  Index parameter = -1;
  double factor = 0;
  bool logarithm = false;
};

/// θ of a fitted network: elements in their order, all but those of known size, then log m of the storages. Nothing where the model's θ
/// is not that.
std::vector<Follows> network_parameters(const Model& model, const Network& network) {
  std::vector<Follows> all(network.elements.size());
  Index next = 0;
  for (const bool storages : {false, true})
    for (std::size_t k = 0; k < network.elements.size(); ++k) {
      const auto& element = network.elements[k];
      if ((element.type == Type::storage) != storages || element.se == 0) continue;
      if (next >= model.theta.size()) return {};
      const double theta = model.theta[next];
      const double wanted = storages ? std::log(element.value) : element.value;
      if (element.value != 0 && !(std::abs(theta - wanted) <= 1e-9 * (1 + std::abs(wanted))))
        return {};
      all[k] = {next++, storages ? 1.0 : element.value != 0 ? 1 / element.value : 0.0, storages};
    }
  return all;
}

std::vector<Follows> law_parameters(const Model& model, const NamedSystem& system) {
  const Law law =
      find_law(model.structure.substr(std::string("parametric:").size()), model.dimension());
  const Constants constants(law.constants());
  if (model.theta.size() != constants.size()) return {};
  const Vector p = constants.values(model.theta), slopes = constants.slopes(model.theta);
  std::vector<Follows> all(system.values().size());
  for (Index k = 0; k < p.size(); ++k)
    if (const Index value = system.find(law.constants()[static_cast<std::size_t>(k)].name);
        value >= 0 && p[k] != 0)
      all[static_cast<std::size_t>(value)] = {k, slopes[k] / p[k], false};
  return all;
}

/// Rows of R for all values, from the covariance of θ; else from the elements' own standard errors; empty where neither is known.
Matrix relative_errors(const NamedSystem& system, std::vector<bool>& logarithm) {
  const Model& model = system.original();
  const Index count = std::ssize(system.values());
  std::vector<Follows> follows;
  if (model.covariance.size() > 0 && model.covariance.allFinite()) {
    if (model.structure.starts_with("parametric:"))
      follows = law_parameters(model, system);
    else if (model.network)
      follows = network_parameters(model, *model.network);
  }
  if (!follows.empty()) {
    const Matrix root = root_of(model.covariance);
    Matrix rows = Matrix::Zero(count, root.cols());
    for (Index k = 0; k < count; ++k) {
      const Follows& one = follows[static_cast<std::size_t>(k)];
      if (one.parameter < 0) continue;
      rows.row(k) = one.factor * root.row(one.parameter);
      logarithm[static_cast<std::size_t>(k)] = one.logarithm;
    }
    return rows;
  }
  if (!model.network) return Matrix::Zero(count, 0);
  Matrix rows = Matrix::Zero(count, count);
  for (Index k = 0; k < count; ++k) {
    const auto& element = model.network->elements[static_cast<std::size_t>(k)];
    if (element.se > 0 && element.value != 0) rows(k, k) = element.se / std::abs(element.value);
  }
  return rows;
}

double tolerance_of(const std::string& text, std::size_t equal) {
  std::string word = text.substr(equal + 1);
  const bool percent = !word.empty() && word.back() == '%';
  if (percent) word.pop_back();
  double value = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !(value >= 0 && value < 100))
    complain_at(text, equal + 1, "a tolerance is a part of the value, zero or more", "as in R*=1%");
  return percent ? value / 100 : value;
}

}  // namespace

UncertainValues::UncertainValues(const NamedSystem& system,
                                 const std::vector<std::string>& tolerances) {
  const Index count = std::ssize(system.values());
  std::vector<bool> logarithm(static_cast<std::size_t>(count), false);
  Matrix rows = relative_errors(system, logarithm);
  for (const std::string& text : tolerances) {
    const auto equal = text.find('=');
    if (equal == std::string::npos)
      throw Error(fmt::format("\"{}\": a tolerance is written R*=1%", text));
    const double tolerance = tolerance_of(text, equal);
    for (const Index k : matching_values(text.substr(0, equal), system, text)) {
      if (rows.cols() > 0) rows.row(k).setZero();
      logarithm[static_cast<std::size_t>(k)] = false;
      rows.conservativeResize(Eigen::NoChange, rows.cols() + 1);
      rows.col(rows.cols() - 1) = tolerance / half_width * Vector::Unit(count, k);
    }
  }
  for (Index k = 0; k < count; ++k)
    if (rows.cols() > 0 && rows.row(k).squaredNorm() > 0) {
      members_.push_back(k);
      logarithm_.push_back(logarithm[static_cast<std::size_t>(k)]);
    }
  if (members_.empty())
    throw Error("no errors of the values are known that a design could be robust against",
                "identify the system from data, or say what parts are made to with " +
                    setting("tolerance", "R*=1%"));
  root_.resize(std::ssize(members_), rows.cols());
  for (Index i = 0; i < root_.rows(); ++i)
    root_.row(i) = rows.row(members_[static_cast<std::size_t>(i)]);
}

Vector UncertainValues::values(Vector chosen, const Vector& z) const {
  const Vector delta = root_ * z;
  // A value keeps its sign, however far an error of its own size would take it.
  constexpr double least = 1e-6;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const double d = delta[static_cast<Index>(i)];
    chosen[members_[i]] *= logarithm_[i] ? std::exp(d) : std::max(1 + d, least);
  }
  return chosen;
}

Vector UncertainValues::pulled_back(const Vector& slopes, const Vector& z) const {
  const Vector delta = root_ * z;
  Vector by_delta = slopes;
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (!logarithm_[i])
      by_delta[static_cast<Index>(i)] /= std::max(1 + delta[static_cast<Index>(i)], 1e-6);
  return root_.transpose() * by_delta;
}

}  // namespace lgn
