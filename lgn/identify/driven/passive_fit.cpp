#include "lgn/identify/driven/passive_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/dynamics/modal.h"
#include "lgn/dynamics/port_hamiltonian.h"
#include "lgn/identify/hidden/order.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"

namespace lgn {
namespace {

SquareSystem system_of(const Fit& fit) {
  const Index m = fit.drive.b.cols();
  return {fit.generator(), fit.drive.b, fit.structure->observation(fit.theta).matrix(),
          fit.drive.d.size() > 0 ? fit.drive.d : Matrix::Zero(m, m)};
}

/// Frequencies about all poles, and between and beyond them.
std::vector<double> frequencies_about(const ComplexVector& poles) {
  std::vector<double> result{0};
  for (const Complex pole : poles)
    for (const double widths : {-4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0})
      result.push_back(std::abs(pole.imag()) + widths * std::abs(pole.real()));
  constexpr int between = 200;
  const double low = std::max(poles.cwiseAbs().minCoeff(), 1e-6 * poles.cwiseAbs().maxCoeff()) / 30,
               high = 30 * poles.cwiseAbs().maxCoeff();
  for (int k = 0; k < between && low > 0; ++k)
    result.push_back(low * std::pow(high / low, static_cast<double>(k) / (between - 1)));
  return result;
}

/// The free system with more damping where it has none, and with so much added to D that it is passive.
std::optional<Vector> with_feedthrough(SquareSystem system,
                                       const PortHamiltonianStructure& structure) {
  const ComplexVector poles = eigenvalues(system.a);
  constexpr double least_damping = 1e-6, margin = 1e-3;
  const double undamped = poles.real().maxCoeff() + least_damping * poles.cwiseAbs().maxCoeff();
  if (undamped > 0) system.a.diagonal().array() -= undamped;
  double least = 0, largest = system.d.norm();
  for (const double frequency : frequencies_about(poles)) {
    const double real = least_real_part(system, frequency);
    least = std::min(least, real);
    largest = std::max(largest, std::abs(real));
  }
  least = std::min(least, symmetric_eigenvalues(0.5 * (system.d + system.d.transpose()))[0]);
  double added = -least + margin * largest;
  const Matrix feedthrough = system.d;
  for (int attempt = 0; attempt < 30; ++attempt, added *= 2) {
    system.d = feedthrough;
    system.d.diagonal().array() += added;
    if (auto theta = structure.parameters_of(system)) return theta;
  }
  return {};
}

/// Block by block [[0, w], [−w, −d]] with what inputs move, seen as they move it: the positive part of every residue. In these
/// coordinates R is the diagonal of the d, of which each column of L takes some.
Vector of_positive_residues(const SquareSystem& system, const ModalStructure& modal,
                            const Vector& theta, const PortHamiltonianStructure& structure) {
  const Index n = system.a.rows(), m = system.b.cols();
  Vector w = Vector::Zero(n / 2);
  Matrix g = Matrix::Zero(n, m), upper = Matrix::Zero(n, m);
  double largest = 0;
  for (const auto& block : modal.blocks()) {
    const auto [rate, damping] = modal.rates(block, theta);
    const Index last = block.state + block.size() - 1;
    if (block.pair) w[block.state / 2] = rate;
    upper(last, (block.state / 2) % m) = std::sqrt(damping);
    // What the block does at once to a step of the inputs.
    const Matrix residue = system.c.middleCols(block.state, block.size()) *
                           system.b.middleRows(block.state, block.size());
    const auto [values, vectors] = symmetric_eigen(0.5 * (residue + residue.transpose()));
    g.row(last) = std::sqrt(std::max(0.0, values[m - 1])) * vectors.col(m - 1).transpose();
    largest = std::max(largest, values.cwiseAbs().maxCoeff());
  }
  // No mode is left out altogether, or it would not come back.
  constexpr double least = 0.1;
  for (Index k = 0; k < n; ++k)
    if (upper.row(k).norm() > 0 && g.row(k).norm() < least * std::sqrt(largest))
      g(k, 0) += least * std::sqrt(largest);
  const auto [values, vectors] = symmetric_eigen(0.5 * (system.d + system.d.transpose()));
  const Vector kept = values.cwiseMax(1e-3 * values.cwiseAbs().maxCoeff() + 1e-300);
  const Matrix lower = cholesky(vectors * kept.asDiagonal() * vectors.transpose());
  return structure.pack(w, g, upper, lower, 0.5 * (system.d - system.d.transpose()));
}

/// −2 log likelihood.
double misfit(const Fit& fit, const Dataset& data) {
  return information_criterion(find_residuals(fit, data), 0);
}

/// The most likely of the searches from these starts, which ends where one is as likely as `enough`.
Fit best_of(const Dataset& data, const std::shared_ptr<const PortHamiltonianStructure>& structure,
            const std::vector<Vector>& starts, double enough, const Vector& sizes,
            const FitOptions& options) {
  std::optional<Fit> best;
  double least = 0;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    Fit found = maximum_likelihood(
        data, structure, {.theta = {starts[k]}, .fallback = {}, .sizes = sizes},
        options.in_stage(
            fmt::format("passive{}, start {}", structure->feedthrough() ? " D" : "", k + 1)));
    constexpr double alike = 0.1;
    const double reached = misfit(found, data);
    const bool last = found.stopped || reached < enough + alike;
    if (!best || reached < least) {
      least = reached;
      best = std::move(found);
    }
    if (last) break;
  }
  return *best;
}

/// θ without feedthrough of what has it.
Vector without_feedthrough(const Vector& theta, const PortHamiltonianStructure& to) {
  return theta.head(to.parameters());
}

StructureCandidate candidate(const Fit& fit, const Dataset& data, const std::string& verdict) {
  const FitResiduals left = find_residuals(fit, data);
  StructureCandidate result;
  result.structure = fit.structure->name();
  result.states = fit.structure->dimension();
  result.parameters = fit.structure->free_parameters();
  result.nrmse = left.nrmse();
  result.criterion = order_criterion(fit, left);
  result.verdict = verdict;
  return result;
}

}  // namespace

void check_passive(const Dataset& data, const FitOptions& options) {
  const auto l = static_cast<Index>(data.channels().size()),
             m = static_cast<Index>(data.inputs().size());
  if (!options.driven || m == 0)
    throw Error("passivity is about ports, and the data have no inputs",
                "name the columns of inputs with " + setting("inputs"));
  if (l != m)
    throw Error(
        fmt::format("passivity needs the output beside each input: there {} {} output{} "
                    "({}) and {} input{} ({})",
                    l == 1 ? "is" : "are", l, l == 1 ? "" : "s", fmt::join(data.channels(), ", "),
                    m, m == 1 ? "" : "s", fmt::join(data.inputs(), ", ")),
        "choose pairs in the same order with " + setting("outputs") + " and " + setting("inputs"));
  if (options.noise_model == NoiseModel::innovation)
    throw Error("passive systems are fitted with white noise of the samples",
                "leave out " + setting("passive") + " or use " + setting("noise_model", "output"));
  if (options.delay == Delay::automatic || options.delay_value != 0)
    throw Error("a system that answers late is not passive",
                "leave out " + setting("delay") + " or " + setting("passive"));
  if (options.custom_structure != nullptr ||
      (options.structure != "auto" && options.structure != "modal") ||
      options.states == States::measured)
    throw Error("passive systems have a structure of their own, in coordinates of their own",
                "leave out " + setting("structure") + ", or use " + setting("structure", "auto") +
                    " and a number of " + setting("states"));
}

Selection fit_passive(const Dataset& data, const Fit& free, const FitOptions& options) {
  const Index n = free.structure->dimension(), m = free.drive.b.cols();
  const SquareSystem system = system_of(free);
  FitOptions how = options;
  how.hold = free.drive.timing.hold == Hold::zoh ? InputHold::zoh : InputHold::foh;
  how.offset = free.offset.size() > 0 ? Offset::estimate : Offset::none;
  const bool sized = free.noise.size() > 0 && (free.noise.array() > 0).all();
  const Vector sizes = sized ? free.noise : Vector();

  const auto fed = std::make_shared<const PortHamiltonianStructure>(n, m, true);
  const auto unfed = std::make_shared<const PortHamiltonianStructure>(n, m, false);
  std::vector<Vector> starts;
  if (auto theta = with_feedthrough(system, *fed)) starts.push_back(std::move(*theta));
  if (const ModalStructure* modal = free.structure->modal())
    starts.push_back(of_positive_residues(system, *modal, free.theta, *fed));
  Fit found = best_of(data, fed, starts, misfit(free, data), sizes, how);
  // Where the free fit wants D, so does this one.
  const bool open = options.feedthrough == Feedthrough::automatic && free.drive.d.size() == 0;
  if ((open || options.feedthrough == Feedthrough::no) && !found.stopped) {
    const bool to_the_end = unless_stopped([&] {
      for (Vector& start : starts) start = without_feedthrough(start, *unfed);
      starts.insert(starts.begin(), without_feedthrough(found.theta, *unfed));
      Fit other = best_of(data, unfed, starts, misfit(found, data), sizes, how);
      const bool better = options.feedthrough == Feedthrough::no ||
                          order_criterion(other, find_residuals(other, data)) <
                              order_criterion(found, find_residuals(found, data));
      if (better) found = std::move(other);
    });
    if (!to_the_end) {
      found.stopped = true;
      found.converged = false;
    }
  }
  Selection result;
  result.candidates = {candidate(free, data, "free: not guaranteed passive"),
                       candidate(found, data, "chosen: passive for every parameter value")};
  result.candidates.back().chosen = true;
  result.fit = std::move(found);
  return result;
}

}  // namespace lgn
