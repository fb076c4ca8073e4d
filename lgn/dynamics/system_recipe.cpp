#include "lgn/dynamics/system_recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/dynamics/nonlinear_systems.h"
#include "lgn/dynamics/structural_systems.h"

namespace lgn {
namespace {

/// One value for all sections, or one per section.
Vector per_section(const std::vector<double>& values, int sections, double otherwise,
                   const char* name) {
  if (values.empty()) return Vector::Constant(sections, otherwise);
  if (values.size() == 1) return Vector::Constant(sections, values[0]);
  if (values.size() != static_cast<std::size_t>(sections))
    throw Error(
        fmt::format("{} has {} values for {} sections", setting(name), values.size(), sections),
        "give one value, or one per section");
  return Eigen::Map<const Vector>(values.data(), sections);
}

/// Refuses a size that is no size, or whose dense generator would not fit into memory.
constexpr int most_dense = 2000;
/// Beyond this a network of elements does not either.
constexpr int most_sparse = 1'000'000;
void check_size(int size, const std::string& option, int most = most_dense) {
  if (size < 1 || size > most) throw Error(fmt::format("{} must be from 1 to {}", option, most));
}

/// Of nonlinear laws: the limit cycle of van der Pol's is plain with 1.
double usual_gamma(const std::string& law) { return law == "van-der-pol" ? 1 : 0.1; }

System build_plain(const SystemRecipe& r) {
  check_size(r.sections, setting("sections"));
  check_size(r.masses, setting("masses"));
  if (r.states) check_size(*r.states, setting("states"));
  if (r.system == "oscillator") return oscillator(r.omega);
  if (r.system == "rlc") return rlc(r.omega, r.gamma.value_or(0.1));
  if (r.system == "ltv-oscillator")
    return ltv_oscillator(r.omega, r.gamma.value_or(0.3), r.modulation, r.modulation_frequency);
  if (r.system == "ltv-chain") return ltv_chain(r.masses, r.stiffness, r.damping, r.drift, r.tau);
  if (r.system == "ladder")
    return ladder(per_section(r.r, r.sections, 0.1, "R"), per_section(r.l, r.sections, 1, "L"),
                  per_section(r.c, r.sections, 1, "C"));
  if (r.system == "mass-spring") return mass_spring(r.masses, r.mass, r.stiffness, r.damping);
  if (r.system == "bell") return bell(r.strike);
  if (r.system == "tower") {
    check_size(r.floors, setting("floors"));
    return tower(r.floors, r.first_frequency, r.damping_ratio, r.memory);
  }
  if (r.system == "random") {
    Random random(r.seed);
    return random_dissipative(r.states.value_or(6), random);
  }
  if (r.system == "truss") {
    Random random(r.seed);
    return truss(r.states.value_or(120), r.highest_frequency, r.damping_ratio, random);
  }
  if (r.system == "beam") return beam(r.states.value_or(120), r.highest_frequency, r.damping_ratio);
  const auto& laws = known_law_names();
  if (std::find(laws.begin(), laws.end(), r.system) != laws.end())
    return nonlinear_system(known_law(r.system, r.omega, r.gamma.value_or(usual_gamma(r.system)),
                                      r.nonlinearity, r.system == "duffing-chain" ? r.masses : 1));
  throw Error(
      fmt::format("unknown system \"{}\"", r.system),
      fmt::format("systems are oscillator, rlc, ladder, mass-spring, ltv-oscillator, ltv-chain, "
                  "bell, tower, truss, beam, random, network, {}",
                  fmt::join(laws, ", ")));
}

/// "6", or "4x7" for the rows and columns of a grid; one number is the side of a square.
std::pair<Index, Index> parse_size(const std::string& text, Topology topology) {
  const auto whole = [&](const std::string& part) {
    int value = 0;
    const char* end = part.data() + part.size();
    const auto [stopped, error] = std::from_chars(part.data(), end, value);
    if (error != std::errc() || stopped != end)
      throw Error(fmt::format("{} does not understand \"{}\"", setting("size"), text),
                  "write a whole number, or rows and columns of a grid such as 4x7");
    check_size(value, setting("size"), most_sparse);
    return value;
  };
  const std::size_t cross = text.find('x');
  if (topology != Topology::grid && topology != Topology::rlc_grid) {
    if (cross != text.npos)
      throw Error(fmt::format("{} is for a grid", setting("size", text)),
                  "use " + setting("topology", "grid") + " or " + setting("topology", "rlc-grid") +
                      ", or one number");
    return {whole(text), 0};
  }
  const int rows = whole(text.substr(0, cross));
  const int columns = cross == text.npos ? rows : whole(text.substr(cross + 1));
  const auto cells = static_cast<std::int64_t>(rows) * columns;
  check_size(static_cast<int>(std::min<std::int64_t>(cells, most_sparse + 1)),
             "rows times columns of " + setting("size"), most_sparse);
  return {rows, columns};
}

}  // namespace

bool SystemRecipe::starts_from_first_state() const {
  return system == "oscillator" || system == "rlc" || system == "ltv-oscillator";
}

NetworkSystem build_system(const SystemRecipe& recipe) {
  if (recipe.system != "network") return {build_plain(recipe)};
  NetworkRecipe network;
  network.spread = recipe.spread;
  network.loss = recipe.loss;
  network.topology = find_topology(recipe.topology);
  std::tie(network.size, network.columns) = parse_size(recipe.size, network.topology);
  network.seed = recipe.seed;
  return network_system(network);
}

}  // namespace lgn
