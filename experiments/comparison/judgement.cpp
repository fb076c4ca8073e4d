#include "experiments/comparison/judgement.h"

#include <algorithm>
#include <cmath>

#include "lgn/identify/residuals.h"
#include "lgn/physics/uncertainty.h"

namespace lgn::studies {
namespace {

constexpr Index least_blocks = 10;
constexpr double confidence = 0.95;
constexpr double of_no_account = 0.01;   ///< part of an error by which another may be larger
constexpr double least_normal = 1e-300;  ///< so that there is a ratio where all is zero

/// Whether squared errors, each positive, are larger than others by more than chance, and by something.
bool plainly_larger(const Vector& more, const Vector& less) {
  const auto blocks = static_cast<double>(more.size());
  if (more.size() < 2) return false;
  const Vector ratios = (more.array() / less.array()).log();
  const double mean = ratios.mean();
  const double variance = (ratios.array() - mean).square().sum() / (blocks - 1);
  return mean > 2 * std::log1p(of_no_account) &&
         mean > interval_factor(confidence, blocks - 1) * std::sqrt(variance / blocks);
}

}  // namespace

Vector block_errors(const Propagator& model, const Matrix& starts, const Split& split) {
  const auto& trained = split.train.runs();
  const auto runs = static_cast<Index>(trained.size());
  const Index each = (least_blocks + runs - 1) / runs;
  std::vector<double> sums;
  for (Index r = 0; r < runs; ++r) {
    const Trajectory& held = split.holdout.runs()[static_cast<std::size_t>(r)];
    const Matrix errors = predicted_holdout(model, starts, split, r) - held.states();
    const auto missing = held.states().array().isNaN();
    const Index blocks = std::min(each, held.samples());
    for (Index b = 0; b < blocks; ++b) {
      const Index first = b * held.samples() / blocks;
      const Index count = (b + 1) * held.samples() / blocks - first;
      const auto absent = missing.middleCols(first, count);
      if (absent.all()) continue;
      sums.push_back(absent.select(0.0, errors.middleCols(first, count).array()).square().sum());
    }
  }
  return Eigen::Map<const Vector>(sums.data(), static_cast<Index>(sums.size()));
}

std::vector<bool> find_best(const std::vector<Vector>& errors, double power) {
  const auto takes_part = [](const Vector& e) { return e.size() > 0 && e.allFinite(); };
  const Vector* best = nullptr;
  for (const Vector& e : errors)
    if (takes_part(e) && (best == nullptr || e.sum() < best->sum())) best = &e;
  const double exact = std::max(explained * explained * power, least_normal);
  std::vector<bool> result;
  for (const Vector& e : errors) {
    const auto floored = [&](const Vector& v) -> Vector {
      return v.cwiseMax(exact / static_cast<double>(v.size()));
    };
    result.push_back(takes_part(e) &&
                     (e.sum() <= exact || !plainly_larger(floored(e), floored(*best))));
  }
  return result;
}

}  // namespace lgn::studies
