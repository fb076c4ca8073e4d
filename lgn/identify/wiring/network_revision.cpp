#include "lgn/identify/wiring/network_revision.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "lgn/core/inverse_root.h"
#include "lgn/dynamics/affine.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/likelihood/problem.h"

namespace lgn {
namespace {

/// Candidates for which the information is computed.
constexpr std::size_t most_candidates = 32;

/// ∂A for the value of an element, at these storages.
Matrix direction(const NetworkStructure& structure, const NetworkElement& element,
                 const Vector& storages) {
  Matrix e = Matrix::Zero(structure.dimension(), structure.dimension());
  for (const auto& [row, col, value] : structure.element_entries(element, storages))
    e(row, col) += value;
  return e;
}

/// The candidates along which the likelihood is steepest for the size of what they carry. Elements
/// that cannot be negative count only where it rises with them. `gradient`: ∂ℓ/∂A/2; `power`: Σ x² of every state.
std::vector<NetworkElement> steepest(const FittedNetwork& fit,
                                     const std::vector<NetworkElement>& candidates,
                                     const Matrix& gradient, const Vector& power) {
  const Vector storages = fit.structure.storages(fit.theta);
  std::vector<std::pair<double, std::size_t>> ranking;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    double slope = 0, size = 0;
    for (const auto& [row, col, value] : fit.structure.element_entries(candidates[k], storages)) {
      slope += value * gradient(row, col);
      size += value * value * power[col] / (fit.noise[row] * fit.noise[row]);
    }
    if (candidates[k].bounded() && slope >= 0) continue;
    if (size > 0) ranking.emplace_back(slope * slope / size, k);
  }
  std::stable_sort(ranking.begin(), ranking.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<NetworkElement> result;
  for (std::size_t k = 0; k < std::min(ranking.size(), most_candidates); ++k)
    result.push_back(candidates[ranking[k].second]);
  return result;
}

/// Σ x² of every channel over the samples that are present.
Vector powers(const Dataset& data) {
  Vector result = Vector::Zero(data.dimension());
  for (const auto& run : data.runs())
    result += run.states().array().isNaN().select(0.0, run.states()).rowwise().squaredNorm();
  return result;
}

}  // namespace

double evidence_threshold(double values, double candidates) {
  return 2 * (std::log(values) + std::log(std::max(1.0, candidates)));
}

NetworkEvidence find_evidence(const Dataset& data, const FittedNetwork& fit,
                              const std::vector<NetworkElement>& candidates) {
  const NetworkStructure& structure = fit.structure;
  const Index n = structure.dimension(), p = structure.parameters();
  const Matrix a = fit.generator();
  std::vector<NetworkElement> absent;
  if (!candidates.empty()) {
    const FullStructure full(n);
    const Problem problem(data, full, fit.noise, fit.known);
    const auto profile = problem.profile(full.project(a));
    if (fit.known.inputs) {
      absent = steepest(fit, candidates, problem.gradient(profile).reshaped(n, n), powers(data));
    } else {
      const Problem::Curvature curvature(problem, profile);
      absent = steepest(fit, candidates, curvature.gradient().reshaped(n, n),
                        curvature.second_moment().diagonal());
    }
  }
  // Couplings of known size are tried with a free one, as candidates are.
  std::vector<NetworkElement> extra = absent;
  for (const auto& element : structure.elements())
    if (element.sign != 0) extra.push_back(element);

  if (p == 0 && extra.empty()) return {};
  Matrix directions((p + static_cast<Index>(extra.size())) * n, n);
  directions.topRows(p * n) = structure.directions(fit.theta);
  const Vector storages = structure.storages(fit.theta);
  for (std::size_t k = 0; k < extra.size(); ++k)
    directions.middleRows((p + static_cast<Index>(k)) * n, n) =
        direction(structure, extra[k], storages);
  const AffineStructure tangent(a, directions);
  const Problem problem(data, tangent, fit.noise, fit.known);
  Problem::Normal normal = problem.linearise(*problem.profile(Vector::Zero(tangent.parameters())));
  const Matrix& information = normal.information;
  const Vector& gradient = normal.gradient;

  const Matrix root = inverse_root(information.topLeftCorner(p, p));
  NetworkEvidence result;
  result.se = root.rowwise().norm();
  // What is left of the information about each extra element when all parameters may follow it.
  const auto left = [&](std::size_t k) {
    const Index q = p + static_cast<Index>(k);
    double rest = information(q, q);
    if (p > 0) rest -= (root.transpose() * information.col(q).head(p)).squaredNorm();
    constexpr double resolved = 1e-10;  ///< of it; less is rounding
    return rest > resolved * information(q, q) ? rest : 0.0;
  };
  for (std::size_t k = 0; k < absent.size(); ++k) {
    const double slope = gradient[p + static_cast<Index>(k)], rest = left(k);
    if (!(rest > 0)) continue;
    result.absent.push_back({absent[k], slope * slope / rest, p + static_cast<Index>(k)});
  }
  std::size_t of_known_size = absent.size();
  for (std::size_t e = 0; e < structure.elements().size(); ++e) {
    const Index k = structure.parameter_of_element(e);
    if (k == NetworkStructure::fixed)
      result.present.push_back(left(of_known_size++));
    else
      result.present.push_back(
          result.se[k] > 0 ? std::pow(structure.element_value(fit.theta, e) / result.se[k], 2) : 0);
  }
  result.information = std::move(normal.information);
  result.gradient = std::move(normal.gradient);
  result.directions = std::move(directions);
  return result;
}

Matrix generator_with(const FittedNetwork& fit, const NetworkEvidence& evidence,
                      const std::vector<NetworkEvidence::Absent>& candidates) {
  const Index n = fit.structure.dimension(), p = fit.structure.parameters();
  std::vector<Index> unknowns(static_cast<std::size_t>(p));
  std::iota(unknowns.begin(), unknowns.end(), Index{0});
  for (const auto& candidate : candidates) unknowns.push_back(candidate.unknown);
  const auto count = static_cast<Index>(unknowns.size());
  if (count == 0) return fit.generator();
  Matrix information(count, count);
  Vector gradient(count);
  for (Index i = 0; i < count; ++i) {
    const Index from = unknowns[static_cast<std::size_t>(i)];
    gradient[i] = evidence.gradient[from];
    for (Index j = 0; j < count; ++j)
      information(i, j) = evidence.information(from, unknowns[static_cast<std::size_t>(j)]);
  }
  const Matrix root = inverse_root(information);
  const Vector step = -root * (root.transpose() * gradient);
  Matrix a = fit.generator();
  for (Index i = 0; i < count; ++i)
    a += step[i] * evidence.directions.middleRows(unknowns[static_cast<std::size_t>(i)] * n, n);
  return a;
}

}  // namespace lgn
