#include "experiments/design/solvers.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "experiments/design/systems.h"
#include "lgn/design/search_internal.h"

#ifdef LGN_NLOPT
#include <nlopt.h>
#endif

namespace lgn::studies {
namespace {

struct Problem {
  std::string name;
  Model model;
  DesignOptions options;
  bool several = false;  ///< whether the objective is the largest of several numbers
};

std::vector<Problem> problems() {
  std::vector<Problem> list;
  DesignOptions total;
  total.free = {"R*"};
  total.bounds = {"R*=1e-3:10"};
  total.targets = {"zeta>=0.2"};
  total.minimise = "sum(R*)";
  list.push_back({"ladder, 3 resistors", ladder_to_design(3, 0.1), total});
  DesignOptions peak;
  peak.free = {"k2", "c2"};
  peak.minimise = "peak(q1/f1)";
  list.push_back({"absorber, 2 values, peak", absorber_to_design(0.1), peak, true});
  DesignOptions placed;
  placed.free = {"k*"};
  placed.targets = {"f=0.126,0.229,0.349"};
  list.push_back({"chain, 4 springs, 3 frequencies", chain_to_design(), placed});
  total.targets = {"zeta>=0.1"};
  list.push_back({"ladder, 10 resistors", ladder_to_design(10, 0.1), total});
  total.targets = {"zeta>=0.02"};
  list.push_back({"ladder, 50 resistors, ζ ≥ 0.02", ladder_to_design(50, 0.1), total});
  total.targets = {"zeta>=0.2"};
  list.push_back({"ladder, 50 resistors, ζ ≥ 0.2", ladder_to_design(50, 0.1), total});
  return list;
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

SolverResult by_library(const Problem& problem) {
  const double start = processor_seconds();
  const Search search(problem.model, problem.options);
  int evaluations = 0;
  const auto evaluate = [&](const Vector& u) {
    ++evaluations;
    return search.evaluate(u);
  };
  MinMaxOptions options;
  options.curved = [&](const Vector& u) {
    ++evaluations;
    return search.evaluate(u, true);
  };
  // As `design` does: where the model's own values lead to no point that meets the targets, from others.
  Random random(1);
  MinMaxResult found;
  for (int trial = 0; trial < 4 && (trial == 0 || found.point.violation() > met); ++trial)
    found = minimise_max(evaluate, search.start(trial, random), search.free().low,
                         search.free().high, options);
  const double seconds = processor_seconds() - start;
  return {problem.name,
          found.converged ? "lgn" : "lgn (not converged)",
          search.scale() * found.point.cost(),
          found.point.violation(),
          seconds,
          evaluations};
}

#ifdef LGN_NLOPT

/// What NLopt's callbacks share: the last point, and lists padded to one length, the largest first.
struct Shared {
  const Search& search;
  Index groups;
  bool several;  ///< the unknowns are u and a bound τ of the objective
  Vector last = {};
  MinMaxPoint point = {};
  int evaluations = 0;

  const MinMaxPoint& at(const double* x) {
    const Vector u = Eigen::Map<const Vector>(x, groups);
    if (last.size() != u.size() || last != u) {
      last = u;
      point = search.evaluate(u);
      ++evaluations;
    }
    return point;
  }
};

double cost(unsigned, const double* x, double* gradient, void* data) {
  auto& shared = *static_cast<Shared*>(data);
  if (shared.several) {
    if (gradient != nullptr) {
      std::fill(gradient, gradient + shared.groups, 0.0);
      gradient[shared.groups] = 1;
    }
    return x[shared.groups];
  }
  const Smooth& one = shared.at(x).objective.front();
  if (gradient != nullptr) Eigen::Map<Vector>(gradient, shared.groups) = one.gradient;
  return one.value;
}

void fill(unsigned m, double* result, unsigned n, double* gradient, std::vector<Smooth> list,
          Index groups, const double* tau) {
  std::stable_sort(list.begin(), list.end(),
                   [](const Smooth& a, const Smooth& b) { return a.value > b.value; });
  for (unsigned i = 0; i < m; ++i) {
    const bool there = i < list.size() && std::isfinite(list[i].value);
    result[i] = there ? list[i].value - (tau != nullptr ? *tau : 0) : -1;
    if (gradient == nullptr) continue;
    std::fill(gradient + std::size_t{i} * n, gradient + std::size_t{i + 1} * n, 0.0);
    if (!there) continue;
    Eigen::Map<Vector>(gradient + std::size_t{i} * n, groups) = list[i].gradient;
    if (tau != nullptr) gradient[std::size_t{i} * n + n - 1] = -1;
  }
}

void below(unsigned m, double* result, unsigned n, const double* x, double* gradient, void* data) {
  auto& shared = *static_cast<Shared*>(data);
  fill(m, result, n, gradient, shared.at(x).below, shared.groups, nullptr);
}
void heights(unsigned m, double* result, unsigned n, const double* x, double* gradient,
             void* data) {
  auto& shared = *static_cast<Shared*>(data);
  fill(m, result, n, gradient, shared.at(x).objective, shared.groups, x + shared.groups);
}
void zero(unsigned m, double* result, unsigned n, const double* x, double* gradient, void* data) {
  auto& shared = *static_cast<Shared*>(data);
  const auto& list = shared.at(x).zero;
  for (unsigned i = 0; i < m; ++i) {
    result[i] = list[i].value;
    if (gradient != nullptr)
      Eigen::Map<Vector>(gradient + std::size_t{i} * n, n) = list[i].gradient;
  }
}

SolverResult by_nlopt(const Problem& problem, nlopt_algorithm algorithm, const std::string& name) {
  const double start = processor_seconds();
  const Search search(problem.model, problem.options);
  const Index groups = search.free().groups();
  Shared shared{search, groups, problem.several};
  const auto n = static_cast<unsigned>(groups + (problem.several ? 1 : 0));
  const nlopt_opt solver = nlopt_create(algorithm, n);
  Vector low = Vector::Constant(n, -HUGE_VAL), high = Vector::Constant(n, HUGE_VAL), x(n);
  low.head(groups) = search.free().low;
  high.head(groups) = search.free().high;
  x.head(groups) = search.free().start;
  const MinMaxPoint first = search.evaluate(search.free().start);
  if (problem.several) x[groups] = first.cost();
  nlopt_set_lower_bounds(solver, low.data());
  nlopt_set_upper_bounds(solver, high.data());
  nlopt_set_min_objective(solver, cost, &shared);
  const std::vector<double> tolerances(200, 1e-10);
  if (problem.several)
    nlopt_add_inequality_mconstraint(solver, 4, heights, &shared, tolerances.data());
  if (!first.below.empty())
    nlopt_add_inequality_mconstraint(solver, static_cast<unsigned>(search.states()), below, &shared,
                                     tolerances.data());
  if (!first.zero.empty())
    nlopt_add_equality_mconstraint(solver, static_cast<unsigned>(first.zero.size()), zero, &shared,
                                   tolerances.data());
  nlopt_set_xtol_rel(solver, 1e-11);
  nlopt_set_maxeval(solver, 600);
  nlopt_set_maxtime(solver, 60);
  double value = 0;
  const nlopt_result end = nlopt_optimize(solver, x.data(), &value);
  nlopt_destroy(solver);
  const MinMaxPoint last = search.evaluate(x.head(groups));
  const bool limited = end < 0 || end == NLOPT_MAXEVAL_REACHED || end == NLOPT_MAXTIME_REACHED;
  return {problem.name,
          name + (limited ? " (not converged)" : ""),
          search.scale() * last.cost(),
          last.violation(),
          processor_seconds() - start,
          shared.evaluations};
}

#endif

}  // namespace

std::vector<SolverResult> compare_solvers() {
  std::vector<SolverResult> results;
  for (const Problem& problem : problems()) {
    results.push_back(by_library(problem));
#ifdef LGN_NLOPT
    results.push_back(by_nlopt(problem, NLOPT_LD_SLSQP, "NLopt SLSQP"));
    // MMA takes no equalities.
    if (problem.name.find("frequencies") == std::string::npos)
      results.push_back(by_nlopt(problem, NLOPT_LD_MMA, "NLopt MMA"));
#endif
  }
  return results;
}

}  // namespace lgn::studies
