#include "lgn/identify/sparse/sparse_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/network_pattern.h"
#include "lgn/flow/sparse_flow.h"
#include "lgn/identify/sparse/conjugate_gradients.h"
#include "lgn/identify/sparse/sparse_noise.h"

namespace lgn {
namespace {

/// The search, from a start on.
class Search {
 public:
  Search(const Dataset& data, const FitOptions& options, bool offset, SparseStart start)
      : data_(data),
        options_(options),
        offset_(offset),
        threads_(options.threads),
        structure_(std::move(start.structure)),
        partition_(std::move(start.partition)),
        amplitudes_(amplitudes_in(data, *partition_)),
        noise_(noise_by_interpolation(data, amplitudes_, *partition_)),
        first_partition_(partition_),
        kept_(Vector::Ones(structure_->parameters())) {
    prepare();
    unknowns_ = problem_->start(start.theta);
    resume();
  }

  SparseFit run() {
    best_ = unknowns_;
    // Until the first step there is no answer beyond that of the weak form, which is one.
    misfit_ = problem_->misfit(unknowns_, noise_);
    const bool whole = unless_stopped([&] { iterate(); });
    SparseFit fit;
    fit.structure = structure_;
    fit.unknowns = partition_->count(0, problem_->unknowns());
    fit.stopped = !whole;
    fit.converged = converged_;
    fit.iterations = iterations_;
    fit.noise = partition_->gathered(noise_, 0);
    fit.squares = partition_->gathered(misfit_.squares, 0);
    fit.count = partition_->gathered(misfit_.count, 0);
    fit.kept = first_partition_->gathered(kept_, kept_.size());
    fit.partition = partition_;
    const Index own = problem_->first_state(), parameters = partition_->count(0, own);
    if (const Vector whole = partition_->gathered(best_, own); whole.size() > 0) {
      const Index n = fit.noise.size();
      fit.theta = whole.head(parameters);
      if (offset_) fit.offset = whole.tail(n);
      fit.initial_states =
          whole.segment(parameters, n * problem_->runs()).reshaped(n, problem_->runs());
      if (offset_) fit.initial_states.colwise() += fit.offset;
    }
    constexpr Index most_by_themselves = 30'000;
    if (options_.errors == Errors::always ||
        (options_.errors == Errors::automatic && parameters <= most_by_themselves))
      unless_stopped([&] { add_errors(fit); });
    return fit;
  }

 private:
  void prepare() {
    const auto generator = std::make_shared<NetworkPattern>(*structure_, partition_);
    problem_ = std::make_unique<SparseProblem>(
        data_, std::make_shared<OrderedPattern>(generator, partition_), offset_, threads_);
    Index storages = 0;
    for (std::size_t e = 0; e < structure_->elements().size(); ++e)
      if (structure_->parameter_of_element(e) != NetworkStructure::fixed) ++storages;
    // Kinds of which there are some anywhere.
    const Index ends[] = {0, storages, problem_->first_state(), problem_->first_offset(),
                          problem_->unknowns()};
    kinds_.clear();
    for (int kind = 0; kind < 4; ++kind)
      if (partition_->count(ends[kind], ends[kind + 1]) > 0) kinds_.push_back(ends[kind]);
    bounds_ = structure_->lower_bounds();
    whole_unknowns_ = partition_->count(0, problem_->unknowns());
  }

  /// Where another search was killed.
  void resume() {
    if (options_.checkpoint == nullptr) return;
    Vector state;
    options_.checkpoint->restore(stage, state);
    state = partition_->shared(state);
    if (state.size() == 0) return;
    Index next = 0;
    const auto take = [&](Index size) {
      next += size;
      return Vector(state.segment(next - size, size));
    };
    const auto sizes = take(5).cast<Index>().eval();
    iterations_ = static_cast<int>(sizes[0]);
    const Vector kept = take(sizes[1]), unknowns = take(sizes[2]), diagonal = take(sizes[3]),
                 noise = take(sizes[4]);
    keep(first_partition_->scattered(kept, kept_.size()));
    unknowns_ = partition_->scattered(unknowns, problem_->first_state());
    if (diagonal.size() > 0) diagonal_ = partition_->scattered(diagonal, problem_->first_state());
    noise_ = partition_->scattered(noise, 0);
  }

  void save() const {
    if (options_.checkpoint == nullptr) return;
    const Index own = problem_->first_state();
    const Vector kept = first_partition_->gathered(kept_, kept_.size()),
                 unknowns = partition_->gathered(unknowns_, own),
                 diagonal = diagonal_.size() > 0 ? partition_->gathered(diagonal_, own) : Vector(),
                 noise = partition_->gathered(noise_, 0);
    if (unknowns.size() == 0) return;
    Vector state(5 + kept.size() + unknowns.size() + diagonal.size() + noise.size());
    state << static_cast<double>(iterations_), static_cast<double>(kept.size()),
        static_cast<double>(unknowns.size()), static_cast<double>(diagonal.size()),
        static_cast<double>(noise.size()), kept, unknowns, diagonal, noise;
    options_.checkpoint->keep(stage, state, true);
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
    const double size =
        partition_->sum((misfit_.count.array() * amplitudes_.array().square()).sum());
    const double squares = partition_->sum(misfit_.squares.sum());
    options_.observe({task, iterations_, most_iterations, std::sqrt(squares / size), {}});
  }

  void iterate() {
    for (; iterations_ < most_iterations && !converged_;) {
      partition_->stop_point();
      tell("maximum likelihood");
      const SparseProblem::Curvature curvature(*problem_, unknowns_, noise_);
      if (diagonal_.size() == 0 || iterations_ == 2)
        diagonal_ = probed_diagonal(curvature, problem_->unknowns(), kinds_, 2, options_.seed);
      // The first steps are far from where they lead, whatever their precision.
      const double precision = iterations_ == 0 ? 0.1 : 0.02;
      const auto [step, steps, whole] = conjugate_gradients(curvature, -misfit_.gradient, diagonal_,
                                                            held(), most_products, precision);
      const double gain = -partition_->dot(misfit_.gradient, step);
      ++iterations_;
      if (!advance(step)) {
        converged_ = gain < enough * static_cast<double>(whole_unknowns_);
        break;
      }
      best_ = unknowns_;
      converged_ =
          iterations_ > noise_rounds && gain < enough * static_cast<double>(whole_unknowns_);
      if (iterations_ <= noise_rounds) {
        noise_ = noise_by_residuals(misfit_, whole_unknowns_, amplitudes_, *partition_);
        if (iterations_ == noise_rounds) drop_losses();
        misfit_ = problem_->misfit(unknowns_, noise_);
      }
      if (!converged_) save();
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
    Vector kept = Vector::Ones(problem_->first_state());
    for (std::size_t e = 0; e < structure_->elements().size(); ++e) {
      const Index k = structure_->parameter_of_element(e);
      const bool grounded =
          structure_->elements()[e].to == NetworkElement::ground && k != NetworkStructure::fixed;
      if (grounded && unknowns_[k] * std::sqrt(diagonal_[k]) < shown) kept[k] = 0;
    }
    keep(kept);
    best_ = unknowns_;
  }

  /// Leaves out the elements whose parameters are marked by zeros.
  void keep(const Vector& kept) {
    if (partition_->sum(static_cast<double>((kept.array() == 0).count())) == 0) return;
    kept_ = kept;
    const auto fewer = std::make_shared<NetworkStructure>(structure_->without(kept));
    const auto replaced = [&](const Vector& old) {
      if (old.size() == 0) return old;
      Vector result(old.size() - kept.size() + fewer->parameters());
      Index next = 0;
      for (Index k = 0; k < old.size(); ++k)
        if (k >= kept.size() || kept[k] != 0) result[next++] = old[k];
      return result;
    };
    unknowns_ = replaced(unknowns_);
    diagonal_ = replaced(diagonal_);
    partition_ = partition_->with_parameters(kept);
    structure_ = fewer;
    prepare();
  }

  void add_errors(SparseFit& fit) {
    const Index p = problem_->first_state();
    const SparseProblem::Curvature curvature(*problem_, best_, noise_);
    if (diagonal_.size() != best_.size())
      diagonal_ = probed_diagonal(curvature, problem_->unknowns(), kinds_, 2, options_.seed);
    const std::vector<char> fixed = held();
    const SparseInformation information{curvature, diagonal_, fixed, kinds_};
    const auto before_each = [&] { tell("standard errors"); };
    fit.theta_errors =
        partition_->gathered(information.parameter_errors(p, options_.seed + 17, before_each), p);
    if (partition_ != one_part()) return;
    const Index count = p < 3000 ? 10 : p < 30'000 ? 3 : 2;
    fit.poles = slowest_poles(problem_->generator(), fit.theta, information, count, before_each);
  }

  static constexpr const char* stage = "sparse";
  static constexpr int most_iterations = 15, noise_rounds = 2, most_products = 80;
  /// Of the misfit for each unknown that a step would still gain.
  static constexpr double enough = 0.01;

  const Dataset& data_;
  const FitOptions& options_;
  bool offset_;
  WorkerThreads threads_;
  std::shared_ptr<const NetworkStructure> structure_;
  std::shared_ptr<const Partition> partition_;
  Vector amplitudes_, noise_, bounds_;
  std::shared_ptr<const Partition> first_partition_;
  Vector kept_;  ///< of the parameters of the start: zero where one has been left out
  std::unique_ptr<SparseProblem> problem_;
  std::vector<Index> kinds_;  ///< where elements, storages, initial states and offsets begin
  Vector unknowns_, best_, diagonal_;
  SparseProblem::Misfit misfit_;
  Index whole_unknowns_ = 0;  ///< of all processes
  int iterations_ = 0;
  bool converged_ = false;
};

/// The weak form's windows that explain the data best, of a few widths.
SparseStart best_start(const Dataset& data, const FitOptions& options,
                       const std::function<SparseStart(double width)>& start_at) {
  SparseStart best;
  double least = std::numeric_limits<double>::infinity();
  WorkerThreads threads(options.threads);
  for (const double steps : {8.0, 16.0}) {
    SparseStart start;
    try {
      start = start_at(steps * median_step(data));
    } catch (const NotIdentified&) {
      // Runs may be too short for wider windows.
      if (!best.structure) throw;
      continue;
    }
    const auto generator = std::make_shared<NetworkPattern>(*start.structure, start.partition);
    const SparseProblem problem(data, std::make_shared<OrderedPattern>(generator, start.partition),
                                false, threads);
    const Vector noise =
        noise_by_interpolation(data, amplitudes_in(data, *start.partition), *start.partition);
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
  return fit_from_starts(data, options, [&](double width) {
    return start_on_topology(data, mechanical, options.network, width);
  });
}

SparseFit fit_from_starts(const Dataset& data, const FitOptions& options,
                          const std::function<SparseStart(double width)>& start_at) {
  const bool offset = options.offset == Offset::estimate;
  Search search(data, options, offset, best_start(data, options, start_at));
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
