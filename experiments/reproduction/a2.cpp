#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "experiments/baselines/lbfgs_generator.h"
#include "experiments/baselines/port_hamiltonian.h"
#include "experiments/baselines/softplus_sd.h"
#include "experiments/identification/data.h"
#include "experiments/identification/poles.h"
#include "experiments/reproduction/figures.h"
#include "experiments/reproduction/laboratory.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify.h"
#include "lgn/physics/assignment.h"
#include "lgn/report/plot/plot.h"

namespace lgn::studies {
namespace {

constexpr double step = 0.1;

/// A configuration of the ladder and the paper's numbers for it.
struct Configuration {
  std::string name;
  Vector resistances;
  const char* panels;
  bool stiff;
};

/// A way to train, and what it found.
struct Variant {
  std::string method;
  int colour;
  Matrix a;
  Matrix states;     ///< the prediction over t < 200
  Vector poles;      ///< |Δλ| of the three pairs, from the fastest decay to the slowest
  double error = 0;  ///< mean ‖x̂ − x‖/‖x‖ over t < 200
};

/// True poles with Im λ > 0, from the fastest decay to the slowest, then by frequency.
std::vector<Index> upper_poles(const ComplexVector& poles) {
  std::vector<Index> upper;
  for (Index k = 0; k < poles.size(); ++k)
    if (poles[k].imag() > 0) upper.push_back(k);
  std::sort(upper.begin(), upper.end(), [&](Index a, Index b) {
    const double apart = poles[a].real() - poles[b].real();
    // Those of the uniform ladder all decay alike, but for rounding.
    return std::abs(apart) > 1e-9 ? apart < 0 : poles[a].imag() < poles[b].imag();
  });
  return upper;
}

Variant assess(const std::string& method, int colour, const Matrix& a, const System& system,
               const Vector& times) {
  const Vector start = test_start(a.rows());
  Variant variant{method, colour, a, propagate(a, start, times), {}};
  variant.error = relative_errors(variant.states, propagate(system.a, start, times)).mean();
  const PoleErrors errors = compare_poles(a, system.a);
  const std::vector<Index> upper = upper_poles(errors.truth);
  variant.poles = errors.absolute(upper);
  return variant;
}

Panel pole_panel(const std::string& name, const std::string& title, const std::string& caption,
                 const System& system, const std::vector<Variant>& variants) {
  Plot plot(title, "Re λ", "Im λ", 620, 400);
  plot.range_x(-0.4, 0.02).range_y(-2.1, 2.1);
  for (const Variant& variant : variants) {
    const ComplexVector poles = eigenvalues(variant.a);
    if (variant.colour == lgn_colour)
      plot.circles(poles.real(), poles.imag(), variant.colour, variant.method);
    else
      plot.crosses(poles.real(), poles.imag(), variant.colour, variant.method);
  }
  const ComplexVector truth = eigenvalues(system.a);
  plot.dots(truth.real(), truth.imag(), truth_colour, "truth");
  return {name, caption, plot.svg()};
}

/// Where each method puts the slowest pole, from the true one: what an inset magnifies.
Panel slow_pole_panel(const System& system, const std::vector<Variant>& variants) {
  Plot plot("(e) stiff: the slow pole, magnified", "Re λ − Re λ*", "Im λ − Im λ*", 620, 400);
  const ComplexVector truth = eigenvalues(system.a);
  const Index slow = upper_poles(truth).back();
  constexpr double reach = 2e-5;
  plot.range_x(-reach, reach).range_y(-reach, reach);
  for (const Variant& variant : variants) {
    const ComplexVector poles = eigenvalues(variant.a);
    const Complex off =
        poles[match_eigenvalues(truth, poles).partner[static_cast<std::size_t>(slow)]] -
        truth[slow];
    plot.crosses(Vector::Constant(1, off.real()), Vector::Constant(1, off.imag()), variant.colour,
                 variant.method);
  }
  plot.dots(Vector::Zero(1), Vector::Zero(1), truth_colour, "truth");
  return {"figure-a2e-inset", "Figure A.2(e), inset. The slow pole of the stiff ladder, magnified.",
          plot.svg()};
}

/// The methods on one set of data, as train_variants() makes them.
enum Method : std::size_t { lgn_lbfgs, lgn_ours, windows_rk4, windows_exp, full_ours };

std::vector<Variant> train_variants(const Configuration& configuration, const System& system,
                                    const Dataset& data, const Vector& times,
                                    Laboratory& laboratory) {
  const double share = 0.1 / laboratory.seeds();
  const auto begin = [&](const char* what) {
    laboratory.begin(fmt::format("{} on the {} ladder", what, configuration.name), share);
  };
  const Index n = system.a.rows();
  const SoftplusSdStructure sd(n);
  const auto symoden = std::make_shared<const PortHamiltonianStructure>(n);
  LbfgsTraining tolerance, precision;
  tolerance.lbfgs.loss_tolerance = 1e-15;
  std::vector<Variant> variants;
  const auto add = [&](const std::string& method, int colour, const Matrix& a) {
    variants.push_back(assess(method, colour, a, system, times));
  };
  begin("LGN-SD by L-BFGS");
  add("LGN-SD, L-BFGS", lgn_colour, train_lbfgs(trajectory_loss(data), sd, tolerance).generator);
  begin("LGN-SD, ours,");
  add("LGN-SD, ours", ours_colour, identify(data, {.structure = "sd"}).a);
  begin("SymODEN");
  add("SymODEN, windows, RK4", hnn_colour,
      train_lbfgs(window_loss(data, {.map = StepMap::rk4}), *symoden, tolerance).generator);
  begin("SymODEN with exponentials");
  add("SymODEN, windows, exp", linear_id_colour,
      train_lbfgs(window_loss(data, {.map = StepMap::exponential}), *symoden, precision).generator);
  begin("SymODEN on full trajectories");
  FitOptions full;
  full.custom_structure = symoden;
  full.errors = Errors::never;
  add("SymODEN, full, exp", neural_ode_colour, identify(data, full).a);
  return variants;
}

/// `seeds`: train_variants() of each. Of what is ours at its best, the first is shown.
void add_rows(Findings& findings, const Configuration& configuration,
              const std::vector<std::vector<Variant>>& seeds) {
  const auto add = [&](const std::string& name, Method same, Method ours, double paper,
                       const std::vector<double>& paper_poles, const std::string& note) {
    Row row{.system = configuration.name, .method = name, .metric = "relative_error"};
    if (configuration.stiff) row.paper = paper;
    for (const auto& variants : seeds) row.paper_method.push_back(variants[same].error);
    row.ours = seeds[0][ours].error;
    row.note = note;
    findings.rows.push_back(row);
    for (std::size_t k = 0; k < paper_poles.size(); ++k) {
      const auto pole = static_cast<Index>(k);
      row.metric = fmt::format("|Δλ| of pole {}", k + 1);
      if (configuration.stiff) row.paper = paper_poles[k];
      row.paper_method.clear();
      for (const auto& variants : seeds) row.paper_method.push_back(variants[same].poles[pole]);
      row.ours = seeds[0][ours].poles[pole];
      row.note.clear();
      findings.rows.push_back(row);
    }
  };
  add("LGN-SD", lgn_lbfgs, lgn_ours, 1e-5, {2e-6, 3e-7, 4e-8},
      "same method: L-BFGS, 5 restarts; ours: `lgn fit --structure sd`");
  add("SymODEN", windows_rk4, full_ours, 1e-3, {2.6e-6, 7.8e-7, 1.5e-5},
      "same method: windows, RK4; ours: full trajectories, exp, maximum likelihood");
  for (const auto& [metric, value] :
       {std::pair<std::string, double>{"relative_error", seeds[0][windows_exp].error},
        {"|Δλ| of pole 3", seeds[0][windows_exp].poles[2]}})
    findings.rows.push_back(
        {.system = configuration.name,
         .method = "SymODEN, windows, exp",
         .metric = metric,
         .ours = value,
         .note = metric == "relative_error"
                     ? "the same windows without the error of RK4, L-BFGS to working precision"
                     : ""});
}

void add_panels(Findings& findings, const Configuration& configuration, const System& system,
                const Vector& times, const std::vector<Variant>& variants) {
  std::vector<Curve> curves{{"truth", truth_colour, propagate(system.a, test_start(6), times)}};
  for (const Variant& variant : variants)
    curves.push_back({variant.method, variant.colour, variant.states, true});
  const auto panel = [&](int k) { return fmt::format("figure-a2{}", configuration.panels[k]); };
  const auto title = [&](const char* what, int k) {
    return fmt::format("({}) {}: {}", configuration.panels[k], configuration.name, what);
  };
  const auto caption = [&](const char* what, int k) {
    return fmt::format("Figure A.2({}). {} ladder, {}.", configuration.panels[k],
                       configuration.stiff ? "Stiff" : "Uniform", what);
  };
  findings.panels.push_back(signal_panel(panel(0), title("first state", 0),
                                         caption("first state", 0), times, curves, 50, "v₁"));
  findings.panels.push_back(
      pole_panel(panel(1), title("poles", 1), caption("poles", 1), system, variants));
  if (configuration.stiff) findings.panels.push_back(slow_pole_panel(system, variants));
  findings.panels.push_back(error_panel(panel(2), title("relative error", 2),
                                        caption("relative error", 2), times, curves, 50));
}

}  // namespace

Findings run_a2(Laboratory& laboratory) {
  Findings findings;
  findings.setting = fmt::format(
      "The RLC ladder of three sections, L = C = 1, R = (0.5, 0.5, 0.5) (uniform) and (0.01, 0.1, 1) (stiff); five exact runs, t < 50, Δt = 0.1; {} set{} of initial states; tested from e₁ + ½e₂ over t < 200 by the exponential of what "
      "was identified. LGN-SD: full trajectories, L-BFGS, best of 5 restarts. SymODEN: A = (J − R)M, J skew, R and M positive diagonal, 27 parameters, windows of 5 steps from every sample, RK4, L-BFGS, best of 5 restarts. L-BFGS stops "
      "where a step lowers the loss by less than 1e-15. Poles are numbered from the fastest decay to the slowest, and by frequency where they decay alike; |Δλ| is absolute. ours and windows with exp are of the first set.",
      laboratory.seeds(), laboratory.seeds() == 1 ? "" : "s");
  const Vector times = even_times(step, 2000);
  std::vector<Variant> uniform, stiff;
  for (const Configuration& configuration :
       {Configuration{"uniform", Vector{{0.5, 0.5, 0.5}}, "abc", false},
        Configuration{"stiff", Vector{{0.01, 0.1, 1.0}}, "def", true}}) {
    const System system = ladder(configuration.resistances, Vector::Ones(3), Vector::Ones(3));
    std::vector<std::vector<Variant>> seeds;
    for (int seed = 1; seed <= laboratory.seeds(); ++seed) {
      Random random(static_cast<std::uint64_t>(seed));
      const Dataset data =
          exact_runs(system, std::vector<Vector>(5, even_times(step, 500)), random);
      seeds.push_back(train_variants(configuration, system, data, times, laboratory));
    }
    add_rows(findings, configuration, seeds);
    add_panels(findings, configuration, system, times, seeds[0]);
    (configuration.stiff ? stiff : uniform) = seeds[0];
  }
  const double omega = 1.774;
  findings.remarks = {
      fmt::format(
          "SymODEN's error on the stiff ladder is that of RK4. The published eigenvalue of the slow mode is 1.5e-5 off, not missed: RK4 has the phase error ω(ωΔt)⁴/120 = {:.1e} per unit of time at ω = {:.3f}, and training makes the "
          "discrete map right, so that the generator takes the error. We find {:.1e}. With the same windows and exponentials in place of RK4 it is {:.0e}; with the same class on full trajectories by maximum likelihood, {:.0e}. "
          "So neither the horizon nor the port-Hamiltonian structure is what separates the two methods.",
          omega * std::pow(omega * step, 4) / 120, omega, stiff[windows_rk4].poles[2],
          stiff[windows_exp].poles[2], stiff[full_ours].poles[2]),
      fmt::format(
          "The paper takes the uniform ladder as a control, on which both methods do alike. Here the gap is on both: mean relative errors of {:.0e} (LGN-SD) and {:.0e} (SymODEN) on the uniform ladder, {:.0e} and {:.0e} on the stiff one, as RK4's error, which "
          "does not ask for stiffness, would have it.",
          uniform[lgn_lbfgs].error, uniform[windows_rk4].error, stiff[lgn_lbfgs].error,
          stiff[windows_rk4].error),
      fmt::format(
          "LGN-SD by L-BFGS: where it ends depends on where it stops. At a tolerance of 1e-15 the mean relative error is {:.0e} (paper 1e-5; its tolerance is not given); the data hold more, and maximum likelihood takes it to {:.0e}.",
          stiff[lgn_lbfgs].error, stiff[lgn_ours].error)};
  return findings;
}

}  // namespace lgn::studies
