#include "lgn/dynamics/system_recipe.h"

#include <fmt/format.h>

#include <charconv>
#include <tuple>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
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
void check_size(int size, const std::string& option) {
  constexpr int most = 2000;
  if (size < 1 || size > most) throw Error(fmt::format("{} must be from 1 to {}", option, most));
}

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
  throw Error(
      fmt::format("unknown system \"{}\"", r.system),
      "systems are oscillator, rlc, ladder, mass-spring, ltv-oscillator, ltv-chain, bell, tower, truss, beam, random, network");
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
    check_size(value, setting("size"));
    return value;
  };
  const std::size_t cross = text.find('x');
  if (topology != Topology::grid) {
    if (cross != text.npos)
      throw Error(fmt::format("{} is for a grid", setting("size", text)),
                  "use " + setting("topology", "grid") + ", or one number");
    return {whole(text), 0};
  }
  const int rows = whole(text.substr(0, cross));
  const int columns = cross == text.npos ? rows : whole(text.substr(cross + 1));
  check_size(rows * columns, "rows times columns of " + setting("size"));
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
