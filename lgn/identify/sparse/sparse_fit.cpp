#include "lgn/identify/sparse/sparse_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/core/median.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/network_pattern.h"
#include "lgn/flow/sparse_flow.h"

namespace lgn {
namespace {

/// σ of each channel by what a cubic through two neighbours on each side leaves of a sample: motion that samples resolve
/// leaves little, noise all of it.
Vector noise_by_interpolation(const Dataset& data) {
  const Index n = data.dimension();
  Vector squares = Vector::Zero(n), count = Vector::Zero(n);
  for (const auto& run : data.runs()) {
    const Vector& t = run.times();
    const Matrix& y = run.states();
    for (Index k = 2; k + 2 < run.samples(); ++k) {
      const Index around[4] = {k - 2, k - 1, k + 1, k + 2};
      double weight[4], size = 1;
      for (int a = 0; a < 4; ++a) {
        weight[a] = 1;
        for (int b = 0; b < 4; ++b)
          if (b != a) weight[a] *= (t[k] - t[around[b]]) / (t[around[a]] - t[around[b]]);
        size += weight[a] * weight[a];
      }
      for (Index i = 0; i < n; ++i) {
        double left = y(i, k);
        for (int a = 0; a < 4; ++a) left -= weight[a] * y(i, around[a]);
        if (Trajectory::missing(left)) continue;
        squares[i] += left * left / size;
        count[i] += 1;
      }
    }
  }
  // Where a channel has no five samples in a row it is as noisy as the others are.
  const Vector amplitudes = channel_amplitudes(data);
  const double typical =
      std::sqrt(squares.cwiseQuotient(amplitudes.cwiseAbs2()).sum() / std::max(1.0, count.sum()));
  constexpr double least = 1e-10;
  Vector noise(n);
  for (Index i = 0; i < n; ++i)
    noise[i] = std::max(count[i] > 0 ? std::sqrt(squares[i] / count[i]) : typical * amplitudes[i],
                        least * amplitudes[i]);
  return noise;
}

/// σ of each channel by the residuals of a fit with so many unknowns.
Vector noise_by_residuals(const SparseProblem::Misfit& misfit, Index unknowns,
                          const Vector& amplitudes) {
  const double values = misfit.count.sum();
  const double share = std::max(0.05, 1 - static_cast<double>(unknowns) / values);
  constexpr double least = 1e-10;
  return (misfit.squares.array() / (share * misfit.count.array().max(1.0)))
      .sqrt()
      .max(least * amplitudes.array());
}

/// The search, from a start on.
class Search {
 public:
  Search(const Dataset& data, const FitOptions& options, bool offset, SparseStart start)
      : data_(data),
        options_(options),
        offset_(offset),
        threads_(options.threads),
        structure_(std::move(start.structure)),
        amplitudes_(channel_amplitudes(data)),
        noise_(noise_by_interpolation(data)) {
    prepare();
    unknowns_ = problem_->start(start.theta);
  }

  SparseFit run() {
    best_ = unknowns_;
    // Until the first step there is no answer beyond that of the weak form, which is one.
    misfit_ = problem_->misfit(unknowns_, noise_);
    const bool whole = unless_stopped([&] { iterate(); });
    SparseFit fit;
    fit.structure = structure_;
    fit.unknowns = problem_->unknowns();
    fit.stopped = !whole;
    fit.converged = converged_;
    fit.iterations = iterations_;
    fit.theta = best_.head(problem_->first_state());
    fit.noise = noise_;
    fit.squares = misfit_.squares;
    fit.count = misfit_.count;
    if (offset_) fit.offset = best_.tail(problem_->states());
    fit.initial_states =
        best_.segment(problem_->first_state(), problem_->states() * problem_->runs())
            .reshaped(problem_->states(), problem_->runs());
    if (offset_) fit.initial_states.colwise() += fit.offset;
    constexpr Index most_by_themselves = 30'000;
    if (options_.errors == Errors::always ||
        (options_.errors == Errors::automatic && fit.theta.size() <= most_by_themselves))
      unless_stopped([&] { add_errors(fit); });
    return fit;
  }

 private:
  void prepare() {
    const auto generator = std::make_shared<NetworkPattern>(*structure_);
    problem_ = std::make_unique<SparseProblem>(data_, std::make_shared<OrderedPattern>(generator),
                                               offset_, threads_);
    kinds_ = {0};
    Index storages = 0;
    for (std::size_t e = 0; e < structure_->elements().size(); ++e)
      if (structure_->parameter_of_element(e) != NetworkStructure::fixed) ++storages;
    for (const Index first : {storages, problem_->first_state(), problem_->first_offset()})
      if (first > kinds_.back() && first < problem_->unknowns()) kinds_.push_back(first);
    bounds_ = structure_->lower_bounds();
  }

  /// Parameters at their bound that the gradient wants below it.
  std::vector<char> held() const {
    std::vector<char> result(at(problem_->unknowns()), 0);
    for (Index k = 0; k < bounds_.size(); ++k)
      if (unknowns_[k] <= bounds_[k] && misfit_.gradient[k] > 0) result[at(k)] = 1;
    return result;
  }

  Vector moved(const Vector& step, double part) const {
    Vector result = unknowns_ + part * step;
    result.head(bounds_.size()) = result.head(bounds_.size()).cwiseMax(bounds_);
    return result;
  }

  void tell(const char* task) const {
    if (!options_.observe) return;
    const double size = (misfit_.count.array() * amplitudes_.array().square()).sum();
    options_.observe(
        {task, iterations_, most_iterations, std::sqrt(misfit_.squares.sum() / size), {}});
  }

  void iterate() {
    for (; iterations_ < most_iterations && !converged_;) {
      stop_point();
      tell("maximum likelihood");
      const SparseProblem::Curvature curvature(*problem_, unknowns_, noise_);
      if (diagonal_.size() == 0 || iterations_ == 2)
        diagonal_ = probed_diagonal(curvature, problem_->unknowns(), kinds_, 2, options_.seed);
      // The first steps are far from where they lead, whatever their precision.
      const double precision = iterations_ == 0 ? 0.1 : 0.02;
      const auto [step, steps, whole] = conjugate_gradients(curvature, -misfit_.gradient, diagonal_,
                                                            held(), most_products, precision);
      const double gain = -misfit_.gradient.dot(step);
      ++iterations_;
      if (!advance(step)) {
        converged_ = gain < enough * static_cast<double>(problem_->unknowns());
        break;
      }
      best_ = unknowns_;
      converged_ =
          iterations_ > noise_rounds && gain < enough * static_cast<double>(problem_->unknowns());
      if (iterations_ <= noise_rounds) {
        noise_ = noise_by_residuals(misfit_, problem_->unknowns(), amplitudes_);
        if (iterations_ == noise_rounds) drop_losses();
        misfit_ = problem_->misfit(unknowns_, noise_);
      }
    }
  }

  /// Goes the whole step, or a part of it that lessens the misfit; false where none does.
  bool advance(const Vector& step) {
    for (double part = 1; part > 1e-3; part /= 3) {
      const Vector next = moved(step, part);
      SparseProblem::Misfit misfit = problem_->misfit(next, noise_);
      if (!(misfit.value < misfit_.value)) continue;
      unknowns_ = next;
      misfit_ = std::move(misfit);
      return true;
    }
    return false;
  }

  /// Takes losses, and what ties masses to the ground, out where the data do not show them.
  void drop_losses() {
    constexpr double shown =
        4;  // standard errors if nothing else were unknown, which they are not below
    std::vector<NetworkElement> elements;
    std::vector<double> values;
    std::vector<double> diagonal;
    for (std::size_t e = 0; e < structure_->elements().size(); ++e) {
      const NetworkElement& element = structure_->elements()[e];
      const Index k = structure_->parameter_of_element(e);
      const bool grounded = element.to == NetworkElement::ground && k != NetworkStructure::fixed;
      if (grounded && unknowns_[k] * std::sqrt(diagonal_[k]) < shown) continue;
      elements.push_back(element);
      if (k == NetworkStructure::fixed) continue;
      values.push_back(unknowns_[k]);
      diagonal.push_back(diagonal_[k]);
    }
    if (elements.size() == structure_->elements().size()) return;
    const Index before = problem_->first_state();
    auto fewer = std::make_shared<NetworkStructure>(structure_->nodes(), std::move(elements),
                                                    structure_->has_storages());
    Index next = static_cast<Index>(values.size());
    values.resize(at(fewer->parameters()));
    diagonal.resize(values.size());
    for (std::size_t i = 0; i < structure_->nodes().size(); ++i)
      if (const Index k = structure_->parameter_of_storage(i); k != NetworkStructure::fixed) {
        values[at(next)] = unknowns_[k];
        diagonal[at(next++)] = diagonal_[k];
      }
    const auto replaced = [&](const Vector& old, const std::vector<double>& head) {
      Vector result(old.size() - before + fewer->parameters());
      result << Eigen::Map<const Vector>(head.data(), fewer->parameters()),
          old.tail(old.size() - before);
      return result;
    };
    unknowns_ = replaced(unknowns_, values);
    diagonal_ = replaced(diagonal_, diagonal);
    structure_ = std::move(fewer);
    prepare();
    best_ = unknowns_;
  }

  void add_errors(SparseFit& fit) {
    const Index p = problem_->first_state();
    const SparseProblem::Curvature curvature(*problem_, best_, noise_);
    if (diagonal_.size() != best_.size())
      diagonal_ = probed_diagonal(curvature, problem_->unknowns(), kinds_, 2, options_.seed);
    const std::vector<char> fixed = held();
    const SparseInformation information{curvature, diagonal_, fixed, kinds_};
    const auto before_each = [&] { tell("standard errors"); };
    fit.theta_errors = information.parameter_errors(p, options_.seed + 17, before_each);
    const Index count = p < 3000 ? 10 : p < 30'000 ? 3 : 2;
    fit.poles = slowest_poles(problem_->generator(), fit.theta, information, count, before_each);
  }

  static constexpr int most_iterations = 15, noise_rounds = 2, most_products = 80;
  /// Of the misfit for each unknown that a step would still gain.
  static constexpr double enough = 0.01;

  const Dataset& data_;
  const FitOptions& options_;
  bool offset_;
  WorkerThreads threads_;
  std::shared_ptr<const NetworkStructure> structure_;
  Vector amplitudes_, noise_, bounds_;
  std::unique_ptr<SparseProblem> problem_;
  std::vector<Index> kinds_;  ///< where elements, storages, initial states and offsets begin
  Vector unknowns_, best_, diagonal_;
  SparseProblem::Misfit misfit_;
  int iterations_ = 0;
  bool converged_ = false;
};

/// The weak form's windows that explain the data best, of a few widths.
SparseStart best_start(const Dataset& data, bool mechanical, const FitOptions& options) {
  SparseStart best;
  double least = std::numeric_limits<double>::infinity();
  const Vector noise = noise_by_interpolation(data);
  WorkerThreads threads(options.threads);
  for (const double steps : {8.0, 16.0}) {
    SparseStart start;
    try {
      start = start_on_topology(data, mechanical, options.network, steps * median_step(data));
    } catch (const NotIdentified&) {
      // Runs may be too short for wider windows.
      if (!best.structure) throw;
      continue;
    }
    const SparseProblem problem(
        data, std::make_shared<OrderedPattern>(std::make_shared<NetworkPattern>(*start.structure)),
        false, threads);
    const double value = problem.value(problem.start(start.theta), noise);
    if (value < least || !best.structure) {
      least = value;
      best = std::move(start);
    }
  }
  return best;
}

}  // namespace

SparseFit fit_on_topology(const Dataset& data, bool mechanical, const FitOptions& options) {
  const bool offset = options.offset == Offset::estimate;
  Search search(data, options, offset, best_start(data, mechanical, options));
  return search.run();
}

Matrix sparse_initial_states(const NetworkStructure& structure, const Vector& theta,
                             const Dataset& data, const Vector& noise, const Vector& offset,
                             int threads) {
  WorkerThreads workers(threads);
  const Dataset moved = offset.size() > 0 ? data.less(offset) : data;
  const SparseProblem problem(
      moved, std::make_shared<OrderedPattern>(std::make_shared<NetworkPattern>(structure)), false,
      workers);
  const Index p = problem.first_state();
  const Vector sigma = noise.size() == data.dimension() ? noise : channel_amplitudes(moved);
  Vector unknowns = problem.start(theta);
  std::vector<char> held(at(problem.unknowns()), 0);
  std::fill(held.begin(), held.begin() + p, 1);
  const SparseProblem::Curvature curvature(problem, unknowns, sigma);
  const Vector diagonal = probed_diagonal(curvature, problem.unknowns(), {p}, 2, 1);
  // The misfit is a quadratic of them: each round mends what single precision left.
  for (int round = 0; round < 3; ++round)
    unknowns += conjugate_gradients(curvature, -problem.misfit(unknowns, sigma).gradient, diagonal,
                                    held, 100, 1e-4)
                    .x;
  Matrix x0 =
      unknowns.tail(problem.states() * problem.runs()).reshaped(problem.states(), problem.runs());
  if (offset.size() > 0) x0.colwise() += offset;
  return x0;
}

}  // namespace lgn
