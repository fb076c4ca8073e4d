#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "lgn/core/error.h"
#include "lgn/core/output_file.h"
#include "lgn/data/data_file.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/network_systems.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/report/model_file.h"
#include "lgn/version.h"

namespace lgn::cli {
namespace {

constexpr double unset = std::numeric_limits<double>::quiet_NaN();

struct GenerateArguments {
  std::string system, output = "-", truth, wiring, start, noise = "0";
  std::string topology = "ladder", size = "4";
  int runs = 1, sections = 3, masses = 3, states = 6;
  double end = 30, step = 0.1, omega = 1, gamma = unset, mass = 1, stiffness = 1, damping = 0.05;
  double modulation = 0.5, modulation_frequency = 1, drift = 0.3, tau = 15;
  std::vector<double> r, l, c;
  unsigned long seed = 1;
  NetworkRecipe network;  ///< its spread and loss; topology, size and seed are put in later
};

double parse_number(const std::string& text, const std::string& what) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end || !std::isfinite(value))
    throw Error(fmt::format("{} does not understand \"{}\"", what, text));
  return value;
}

/// "0.05" or "5%".
double parse_noise(const std::string& text) {
  if (text.ends_with('%')) return parse_number(text.substr(0, text.size() - 1), "--noise") / 100;
  return parse_number(text, "--noise");
}

/// One value for all sections, or one per section.
Vector per_section(const std::vector<double>& values, int sections, double otherwise,
                   const char* name) {
  if (values.empty()) return Vector::Constant(sections, otherwise);
  if (values.size() == 1) return Vector::Constant(sections, values[0]);
  if (values.size() != static_cast<std::size_t>(sections))
    throw Error(fmt::format("--{} has {} values for {} sections", name, values.size(), sections),
                "give one value, or one per section");
  return Eigen::Map<const Vector>(values.data(), sections);
}

/// Refuses a size that is no size, or whose dense generator would not fit into memory.
void check_size(int size, const char* option) {
  constexpr int most = 2000;
  if (size < 1 || size > most) throw Error(fmt::format("{} must be from 1 to {}", option, most));
}

System build_system(const GenerateArguments& a) {
  check_size(a.sections, "--sections");
  check_size(a.masses, "--masses");
  check_size(a.states, "--states");
  if (a.system == "oscillator") return oscillator(a.omega);
  const auto gamma = [&](double otherwise) { return std::isnan(a.gamma) ? otherwise : a.gamma; };
  if (a.system == "rlc") return rlc(a.omega, gamma(0.1));
  if (a.system == "ltv-oscillator")
    return ltv_oscillator(a.omega, gamma(0.3), a.modulation, a.modulation_frequency);
  if (a.system == "ltv-chain") return ltv_chain(a.masses, a.stiffness, a.damping, a.drift, a.tau);
  if (a.system == "ladder")
    return ladder(per_section(a.r, a.sections, 0.1, "R"), per_section(a.l, a.sections, 1, "L"),
                  per_section(a.c, a.sections, 1, "C"));
  if (a.system == "mass-spring") return mass_spring(a.masses, a.mass, a.stiffness, a.damping);
  if (a.system == "random") {
    Random random(a.seed);
    return random_dissipative(a.states, random);
  }
  throw Error(
      fmt::format("unknown system \"{}\"", a.system),
      "systems are oscillator, rlc, ladder, mass-spring, ltv-oscillator, ltv-chain, random, network");
}

/// "6", or "4x7" for the rows and columns of a grid; one number is the side of a square.
std::pair<Index, Index> parse_size(const std::string& text, Topology topology) {
  const auto whole = [&](const std::string& part) {
    int value = 0;
    const char* end = part.data() + part.size();
    const auto [stopped, error] = std::from_chars(part.data(), end, value);
    if (error != std::errc() || stopped != end)
      throw Error(fmt::format("--size does not understand \"{}\"", text),
                  "write a whole number, or rows and columns of a grid such as 4x7");
    check_size(value, "--size");
    return value;
  };
  const std::size_t cross = text.find('x');
  if (topology != Topology::grid) {
    if (cross != text.npos)
      throw Error(fmt::format("--size {} is for a grid", text),
                  "use --topology grid, or one number");
    return {whole(text), 0};
  }
  const int rows = whole(text.substr(0, cross));
  const int columns = cross == text.npos ? rows : whole(text.substr(cross + 1));
  check_size(rows * columns, "rows times columns of --size");
  return {rows, columns};
}

NetworkSystem build_network(const GenerateArguments& a) {
  NetworkRecipe recipe = a.network;
  recipe.topology = find_topology(a.topology);
  std::tie(recipe.size, recipe.columns) = parse_size(a.size, recipe.topology);
  recipe.seed = a.seed;
  return network_system(recipe);
}

NetworkSystem build(const GenerateArguments& a) {
  if (a.system == "network") return build_network(a);
  if (!a.wiring.empty())
    throw Error("--wiring needs a network", "use lgn generate network --topology ladder");
  return {build_system(a)};
}

/// random, e1 (the first unit vector), or the first states as numbers, the others zero.
std::optional<Vector> parse_start(const std::string& text, Index n) {
  if (text == "random") return std::nullopt;
  Vector start = Vector::Zero(n);
  if (text == "e1") {
    start[0] = 1;
    return start;
  }
  Index k = 0;
  for (std::size_t begin = 0; begin <= text.size(); ++k) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    if (k >= n) throw Error(fmt::format("--x0 has more values than the {} states", n));
    start[k] = parse_number(text.substr(begin, comma - begin), "--x0");
    begin = comma + 1;
  }
  return start;
}

Model true_model(const System& system, const Dataset& data, double step) {
  Model model;
  model.version = version;
  model.structure = system.structure;
  model.method = "generate";
  model.channels = system.channels;
  model.a = system.a;
  model.starts = Matrix(system.a.rows(), static_cast<Index>(data.runs().size()));
  for (Index r = 0; r < model.starts.cols(); ++r)
    model.starts.col(r) = data.runs()[static_cast<std::size_t>(r)].states().col(0);
  model.parameters = system.parameters;
  model.energy = system.energy;
  model.guarantee = {true, true, system.structure == "parametric:oscillator"};
  if (system.varying) {
    const auto [begin, end] = time_span(data);
    model.guarantee = system.varying->guarantee();
    model.a = mean_generator(*system.varying, system.theta, begin, end);
    model.variation = describe_variation(system.varying, system.theta, begin, end);
  }
  model.modes = find_modes(model.a, model.guarantee);
  model.fit.converged = true;
  model.data.runs = model.starts.cols();
  model.data.samples = data.samples();
  model.data.step = step;
  return model;
}

/// As read_edges() reads it; the names need no quotes.
std::string wiring_text(const NetworkSystem& network) {
  std::string text = "from,to\n";
  for (const auto& [from, to] : network.wiring)
    text += fmt::format("{},{}\n", network.system.channels[static_cast<std::size_t>(from)],
                        network.system.channels[static_cast<std::size_t>(to)]);
  return text;
}

void generate(const GenerateArguments& arguments) {
  const NetworkSystem network = build(arguments);
  const System& system = network.system;
  const bool pair = arguments.system == "oscillator" || arguments.system == "rlc" ||
                    arguments.system == "ltv-oscillator";
  const std::string start = arguments.start.empty() ? (pair ? "e1" : "random") : arguments.start;
  SamplingOptions sampling{arguments.runs, arguments.end,
                           arguments.step, 0,
                           arguments.seed, parse_start(start, system.a.rows())};
  sampling.noise = parse_noise(arguments.noise);
  check_data_format(arguments.output);
  check_outputs({arguments.output, arguments.truth, arguments.wiring}, {});
  const Dataset data = sample_runs(system, sampling);
  // What is true appears last: never without its data.
  std::vector<std::unique_ptr<OutputFile>> truths;
  const auto prepare = [&](const std::string& path, const std::string& text) {
    truths.push_back(std::make_unique<OutputFile>(path));
    truths.back()->write(text);
  };
  if (!arguments.wiring.empty()) prepare(arguments.wiring, wiring_text(network));
  if (!arguments.truth.empty()) {
    sampling.noise = 0;
    prepare(arguments.truth,
            model_to_json(true_model(system, sample_runs(system, sampling), arguments.step)));
  }
  write_data(data, arguments.output);
  for (const auto& file : truths) file->commit();
}

}  // namespace

void add_generate(CommandLine& line) {
  auto a = std::make_shared<GenerateArguments>();
  line.add("generate", "example data from a known system")
      .argument(
          "SYSTEM", a->system,
          "oscillator, rlc, ladder, mass-spring, ltv-oscillator, ltv-chain,\nrandom (dissipative) or network")
      .option("-o,--output", a->output, "DATA",
              "Where to write: .csv, .npz, .npy, .mat, .h5\n(default: CSV on standard output)")
      .option("--truth", a->truth, "MODEL.json", "Also write the true system as a model")
      .option("--trajectories", a->runs, "M", "Number of runs (default: 1)")
      .option("--t1", a->end, "T", "Samples at 0, dt, 2 dt, … < T (default: 30)")
      .option("--dt", a->step, "H", "Time step (default: 0.1)")
      .option("--noise", a->noise, "F",
              "Noise relative to the signal's standard deviation: 0.05 or 5%")
      .option("--seed", a->seed, "N", "Seed of starts, noise and random systems (default: 1)")
      .option(
          "--x0", a->start, "HOW",
          "random, e1, or the first states as numbers, others 0\n(default: e1 for oscillators and rlc, else random)")
      .group("oscillator, rlc, ltv-oscillator")
      .option("--omega", a->omega, "W", "Natural frequency (default: 1)")
      .option("--gamma", a->gamma, "G", "Damping (default: 0.1; 0.3 for ltv-oscillator)")
      .option("--modulation", a->modulation, "A",
              "Damping varies as G (1 + A sin(WD t)) (default: 0.5)")
      .option("--omega-d", a->modulation_frequency, "WD", "Its frequency (default: 1)")
      .group("ladder")
      .option("--sections", a->sections, "N", "Sections, two states each (default: 3)")
      .option("--R", a->r, "R,..", "Resistances, one or one per section (default: 0.1)")
      .option("--L", a->l, "L,..", "Inductances (default: 1)")
      .option("--C", a->c, "C,..", "Capacitances (default: 1)")
      .group("mass-spring, ltv-chain, random")
      .option("--masses", a->masses, "N", "Masses in the chain (default: 3)")
      .option("--mass", a->mass, "M", "Each mass (default: 1)")
      .option("--stiffness", a->stiffness, "K", "Each spring (default: 1)")
      .option("--damping", a->damping, "C", "Damper of each mass to the ground (default: 0.05)")
      .option("--drift", a->drift, "A",
              "Middle spring of ltv-chain drifts to K (1 + A) (default: 0.3)")
      .option("--tau", a->tau, "T", "In about this time, as tanh(t/T) (default: 15)")
      .option("--states", a->states, "N", "States of a random system (default: 6)")
      .group("network")
      .option(
          "--topology", a->topology, "NAME",
          "ladder (RLC), chain or grid (of masses and springs),\nring or tree (default: ladder)")
      .option(
          "--size", a->size, "N|RxC",
          "Sections of a ladder, masses of a chain, states of a ring or tree,\nside of a grid or its rows x columns (default: 4)")
      .option("--spread", a->network.spread, "F",
              "Largest over smallest element value, log-uniform (default: 1, all equal)")
      .option("--loss", a->network.loss, "D",
              "Mean size of resistances, dampers or losses (default: 0.1)")
      .option("--wiring", a->wiring, "EDGES.csv",
              "Also write which channels couple, a pair from,to per line")
      .footer(
          "Examples:\n"
          "  lgn generate ladder --sections 3 --trajectories 5 --noise 5% -o ladder.csv --truth "
          "truth.json\n"
          "  lgn generate rlc --gamma 0.2 | lgn fit - --structure parametric:rlc\n"
          "  lgn generate network --topology tree --size 20 --spread 10 -o tree.csv --wiring edges.csv")
      .run([a] { generate(*a); });
}

}  // namespace lgn::cli
