#include "lgn/identify/ambient/correlation_functions.h"

#include <algorithm>
#include <string>

#include "lgn/core/decompositions.h"
#include "lgn/flow/exponential.h"

namespace lgn {
namespace {

std::vector<Matrix> telling_correlations(const AmbientRecord& record) {
  constexpr Index most = 6000, fewest = 48;
  std::vector<Matrix> all =
      record.correlations(std::clamp<Index>(record.samples() / 6, fewest, most));
  Vector squares = Vector::Zero(record.channels());
  for (const Matrix& r : all)
    squares += r.diagonal().cwiseQuotient(all.front().diagonal()).cwiseAbs2();
  const Vector chance = (2 * squares / static_cast<double>(record.all_samples())).cwiseSqrt();
  constexpr double stands_out = 4;
  std::size_t last = all.size() - 1;
  while (last > fewest &&
         (all[last].diagonal().cwiseQuotient(all.front().diagonal()).cwiseAbs().array() <
          stands_out * chance.array())
             .all())
    --last;
  all.resize(last + 1);
  return all;
}

/// C exp(A t), block by block.
class Responses {
 public:
  explicit Responses(const ModalSystem& system)
      : structure_(*system.structure),
        a_(structure_.generator(system.theta)),
        c_(structure_.observation(system.theta).matrix()) {}

  Matrix after(double time) const {
    Matrix result(c_.rows(), c_.cols());
    for (const auto& block : structure_.blocks()) {
      const Index first = block.state, size = block.size();
      result.middleCols(first, size).noalias() =
          c_.middleCols(first, size) * exponential(a_.block(first, first, size, size) * time);
    }
    return result;
  }

 private:
  const ModalStructure& structure_;
  Matrix a_, c_;
};

}  // namespace

CorrelationFunctions::CorrelationFunctions(const AmbientRecord& record)
    : step_(record.step()),
      samples_(record.samples()),
      all_samples_(record.all_samples()),
      all_(telling_correlations(record)) {
  constexpr Index for_fits = 300;
  const Index most = std::ssize(all_) - 1;
  for (Index k = 1, stride = 1 + most / for_fits; k <= most; k += stride) {
    lags_.push_back(k);
    values_.push_back(all_[static_cast<std::size_t>(k)]);
  }
}

Dataset CorrelationFunctions::as_runs() const {
  const Index l = variance().rows(), most = std::ssize(all_) - 1;
  std::vector<std::string> names;
  for (Index c = 0; c < l; ++c) names.push_back(std::to_string(c + 1));
  std::vector<Trajectory> runs;
  const Vector times = Vector::LinSpaced(most, 1, static_cast<double>(most)) * step_;
  for (Index r = 0; r < l; ++r) {
    Matrix values(l, most);
    for (Index k = 0; k < most; ++k) values.col(k) = all_[static_cast<std::size_t>(k + 1)].col(r);
    runs.emplace_back(std::to_string(r + 1), times, std::move(values));
  }
  return {names, std::move(runs)};
}

CanonicalRealisation CorrelationFunctions::canonical() const {
  constexpr Index most_rows = 240, samples_for_each = 20;
  const Index rows = std::min(most_rows, all_samples_ / samples_for_each);
  const Index horizon = std::clamp<Index>(rows / variance().rows(), 1, (std::ssize(all_) - 1) / 2);
  // As if divided by N at every lag, not by the pairs that there are: those of a process.
  std::vector<Matrix> tapered(all_.begin(), all_.begin() + 2 * horizon + 1);
  for (std::size_t k = 0; k < tapered.size(); ++k)
    tapered[k] *= 1 - static_cast<double>(k) / static_cast<double>(samples_);
  return {tapered, horizon};
}

std::vector<Matrix> CorrelationFunctions::of(const ModalSystem& system, const Matrix& g) const {
  const Responses responses(system);
  std::vector<Matrix> result;
  for (const Index lag : lags_)
    result.emplace_back(responses.after(step_ * static_cast<double>(lag)) * g);
  return result;
}

Matrix CorrelationFunctions::fit_g(const ModalSystem& system,
                                   const std::vector<Matrix>& values) const {
  const Index n = system.structure->dimension(), l = system.structure->channels();
  const Responses responses(system);
  Matrix design(l * std::ssize(lags_), n), target(design.rows(), l);
  for (std::size_t k = 0; k < lags_.size(); ++k) {
    const Index row = l * static_cast<Index>(k);
    design.middleRows(row, l) = responses.after(step_ * static_cast<double>(lags_[k]));
    target.middleRows(row, l) = values[k];
  }
  return solve_minimum_norm(design, target);
}

}  // namespace lgn
