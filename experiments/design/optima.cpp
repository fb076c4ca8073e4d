#include "experiments/design/optima.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/design/systems.h"
#include "lgn/design/design.h"
#include "lgn/design/named_system.h"
#include "lgn/design/quantities.h"

namespace lgn::studies {
namespace {

double after(const Model& found, const std::string& name) {
  for (const DesignedValue& value : found.design->values)
    if (value.name == name) return value.after;
  return std::nan("");
}

double highest_peak(const Model& model, const Vector& p) {
  const NamedSystem system(model);
  double peak = 0;
  for (const Smooth& one :
       Quantities(system, p, {}, p).evaluate(*parse_expression("peak(q1/f1)", system)))
    peak = std::max(peak, one.value);
  return peak;
}

void add_absorbers(std::vector<KnownOptimum>& list) {
  for (const double mu : {0.05, 0.1, 0.25}) {
    const Model model = absorber_to_design(mu);
    DesignOptions options;
    options.free = {"k2", "c2"};
    options.minimise = "peak(q1/f1)";
    const Model found = design(model, options);
    const std::string name = fmt::format("absorber, mass ratio {}", mu);
    const double exact =
        2 / (1 + mu) *
        std::sqrt(2 * (16 + 23 * mu + 9 * mu * mu + 2 * (2 + mu) * std::sqrt(4 + 3 * mu)) /
                  (3 * (64 + 80 * mu + 27 * mu * mu)));
    list.push_back({name, "frequency ratio", std::sqrt(after(found, "k1-2") / mu), exact,
                    "exact H∞ optimum (Nishihara and Asami 2002)"});
    const double tuning = 1 / (1 + mu), zeta = std::sqrt(3 * mu / (8 * std::pow(1 + mu, 3)));
    const NamedSystem system(model);
    Vector p = system.start();
    p[system.find("k1-2")] = mu * tuning * tuning;
    p[system.find("c1-2")] = 2 * zeta * mu;
    list.push_back({name, "peak", found.design->objective.after, highest_peak(model, p),
                    "Den Hartog's fixed points, which are a little higher"});
  }
}

void add_ladders(std::vector<KnownOptimum>& list) {
  DesignOptions options;
  options.free = {"R*"};
  options.bounds = {"R*=1e-3:10"};
  options.targets = {"zeta>=0.2"};
  options.minimise = "sum(R*)";
  const Model ladder = ladder_to_design(3, 0.1);
  const double least = design(ladder, options).design->objective.after;
  options.ties = {"R1=R2=R3"};
  const double equal = design(ladder, options).design->objective.after;
  // ζ of a ladder of equal sections is R/(2 ω), least of its fastest mode.
  double fastest = 0;
  for (const Mode& mode : ladder.modes) fastest = std::max(fastest, std::abs(mode.pole));
  list.push_back({"ladder, 3 equal resistors, ζ ≥ 0.2", "total of R", equal, 3 * 2 * 0.2 * fastest,
                  "6 · 0.2 ω of the fastest mode"});
  list.push_back({"the same, each of its own", "total of R", least, std::nan(""), "–"});
}

void add_frequencies(std::vector<KnownOptimum>& list) {
  DesignOptions options;
  options.free = {"k*"};
  options.targets = {"f=0.126,0.229,0.349"};
  const Model found = design(chain_to_design(), options);
  std::vector<double> frequencies;
  for (const Mode& mode : found.modes)
    if (mode.pole.imag() > 0) frequencies.push_back(mode.frequency_hz);
  const std::vector<double> wanted{0.126, 0.229, 0.349};
  for (std::size_t k = 0; k < wanted.size(); ++k)
    list.push_back({"chain of 3 masses, 4 springs, least change", fmt::format("f{} in Hz", k + 1),
                    frequencies[k], wanted[k], "what was wanted"});
}

}  // namespace

std::vector<KnownOptimum> known_optima() {
  std::vector<KnownOptimum> list;
  add_absorbers(list);
  add_ladders(list);
  add_frequencies(list);
  return list;
}

}  // namespace lgn::studies
