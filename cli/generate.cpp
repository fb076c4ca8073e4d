#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <memory>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "lgn/core/error.h"
#include "lgn/core/output_file.h"
#include "lgn/data/data_file.h"
#include "lgn/dynamics/system_recipe.h"
#include "lgn/flow/sample_network.h"
#include "lgn/model/model_file.h"
#include "lgn/model/true_model.h"

namespace lgn::cli {
namespace {

constexpr double unset = std::numeric_limits<double>::quiet_NaN();

constexpr int unset_count = std::numeric_limits<int>::min();

struct GenerateArguments {
  std::string output = "-", truth, edges, initial_state, noise = "0", input, hold = "zoh";
  int runs = 1, states = unset_count;
  double end = unset, step = unset, gamma = unset;
  unsigned long seed = 1;
  SystemRecipe recipe;  ///< its defaults are the program's; states, gamma and seed are put in later
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

NetworkSystem build(const GenerateArguments& a) {
  if (a.recipe.system != "network" && !a.edges.empty())
    throw Error("--edges needs a network", "use lgn generate network --topology ladder");
  SystemRecipe recipe = a.recipe;
  recipe.seed = a.seed;
  if (!std::isnan(a.gamma)) recipe.gamma = a.gamma;
  if (a.states != unset_count) recipe.states = a.states;
  return build_system(recipe);
}

/// random, e1 (the first unit vector), or the first states as numbers, the others zero.
std::optional<Vector> parse_initial_state(const std::string& text, Index n) {
  if (text == "random") return std::nullopt;
  Vector state = Vector::Zero(n);
  if (text == "e1") {
    state[0] = 1;
    return state;
  }
  Index k = 0;
  for (std::size_t begin = 0; begin <= text.size(); ++k) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    if (k >= n) throw Error(fmt::format("--x0 has more values than the {} states", n));
    state[k] = parse_number(text.substr(begin, comma - begin), "--x0");
    begin = comma + 1;
  }
  return state;
}

/// As read_edges() reads it; the names need no quotes.
std::string topology_text(const NetworkSystem& network) {
  std::string text = "from,to\n";
  for (const auto& [from, to] : network.wiring)
    text += fmt::format("{},{}\n", network.system.channels[static_cast<std::size_t>(from)],
                        network.system.channels[static_cast<std::size_t>(to)]);
  return text;
}

void generate(const GenerateArguments& arguments) {
  const NetworkSystem network = build(arguments);
  const System& system = network.system;
  const bool is_bell = arguments.recipe.system == "bell",
             is_tower = arguments.recipe.system == "tower";
  const double usual_end = is_bell    ? 2
                           : is_tower ? 1000
                                      : 30,
               usual_step = is_bell    ? 1.0 / 44100
                            : is_tower ? 0.05
                                       : 0.1;
  const double end = std::isnan(arguments.end) ? usual_end : arguments.end;
  const double step = std::isnan(arguments.step) ? usual_step : arguments.step;
  const std::string usual = arguments.recipe.starts_from_first_state() ? "e1" : "random";
  const std::string initial_state =
      arguments.initial_state.empty() ? usual : arguments.initial_state;
  SamplingOptions sampling{arguments.runs, end,
                           step,           0,
                           arguments.seed, parse_initial_state(initial_state, network.dimension())};
  sampling.noise = parse_noise(arguments.noise);
  sampling.input = arguments.input;
  const auto hold = find_hold(arguments.hold);
  if (!hold)
    throw Error(fmt::format("--hold does not know \"{}\"", arguments.hold), "use zoh or foh");
  sampling.hold = *hold;
  if (network.large && !arguments.truth.empty())
    throw Error(
        fmt::format("--truth has no place for a dense generator of {} states", network.dimension()),
        fmt::format("leave it out for networks of more than {} states; --edges has the "
                    "topology",
                    most_dense_states));
  check_data_format(arguments.output);
  check_outputs({arguments.output, arguments.truth, arguments.edges}, {});
  const Dataset data = sample_network(network, sampling);
  // What is true appears last: never without its data.
  std::vector<std::unique_ptr<OutputFile>> truths;
  const auto prepare = [&](const std::string& path, const std::string& text) {
    truths.push_back(std::make_unique<OutputFile>(path));
    truths.back()->write(text);
  };
  if (!arguments.edges.empty()) prepare(arguments.edges, topology_text(network));
  if (!arguments.truth.empty()) {
    sampling.noise = 0;
    prepare(arguments.truth,
            model_to_json(true_model(system, sample_runs(system, sampling), step, *hold)));
  }
  write_data(data, arguments.output);
  for (const auto& file : truths) file->commit();
}

}  // namespace

void add_generate(CommandLine& line) {
  auto a = std::make_shared<GenerateArguments>();
  line.add("generate", "example data from a known system")
      .argument(
          "SYSTEM", a->recipe.system,
          "oscillator, rlc, ladder, mass-spring, ltv-oscillator, ltv-chain,\nbell (one microphone, twenty partials), tower (shaken by wind),\ntruss, beam (structures of many states), random (dissipative),\nnetwork; nonlinear: duffing, pendulum,\nsaturating-rlc, rigid-body, lorenz, duffing-chain, van-der-pol")
      .option(
          "-o,--output", a->output, "DATA",
          "Where to write: .csv, .npz, .npy, .mat, .h5, .wav\n(default: CSV on standard output)")
      .option("--truth", a->truth, "MODEL.json", "Also write the true system as a model")
      .option("--trajectories", a->runs, "M", "Number of runs (default: 1)")
      .option("--t1", a->end, "T",
              "Samples at 0, dt, 2 dt, … < T (default: 30; 2 for a bell,\n1000 for a tower)")
      .option("--dt", a->step, "H",
              "Time step (default: 0.1; 1/44100 for a bell,\n0.05 for a tower)")
      .option("--noise", a->noise, "F",
              "Noise relative to the signal's standard deviation: 0.05 or 5%")
      .option("--seed", a->seed, "N",
              "Seed of initial states, noise and random systems (default: 1)")
      .option(
          "--x0", a->initial_state, "HOW",
          "Initial state: random, e1, or the first states as numbers, others 0\n(default: e1 for oscillators and rlc, else random)")
      .option(
          "--input", a->input, "KIND",
          "Drive it by an input u: steps, chirp, multisine or random; a force on the\nfirst mass of mass-spring, a current into the first node of a ladder;\nof nonlinear systems too")
      .option("--hold", a->hold, "HOW",
              "The input between samples: zoh (held, default) or foh (linear)")
      .group("oscillator, rlc, ltv-oscillator, nonlinear systems")
      .option("--omega", a->recipe.omega, "W", "Natural frequency (default: 1)")
      .option("--gamma", a->gamma, "G",
              "Damping (default: 0.1; 0.3 for ltv-oscillator, 1 for van-der-pol)")
      .option("--nonlinearity", a->recipe.nonlinearity, "B",
              "Cubic stiffness, or saturation, of nonlinear systems (default: 0.5)")
      .option("--modulation", a->recipe.modulation, "A",
              "Damping varies as G (1 + A sin(WD t)) (default: 0.5)")
      .option("--omega-d", a->recipe.modulation_frequency, "WD", "Its frequency (default: 1)")
      .group("tower")
      .option("--floors", a->recipe.floors, "N", "Floors, a sensor on each (default: 5)")
      .option("--first", a->recipe.first_frequency, "F", "Lowest frequency in Hz (default: 1)")
      .option("--damping-ratio", a->recipe.damping_ratio, "Z",
              "Of every mode of a tower, truss or beam (default: 0.01)")
      .option("--memory", a->recipe.memory, "S",
              "Time in which the wind forgets its force (default: 0, white noise)")
      .group("truss, beam, random")
      .option(
          "--states", a->states, "N",
          "States: of a truss a multiple of 6, of a beam of 4, up to 1000\n(default: 120; 6 of a random system)")
      .option("--highest", a->recipe.highest_frequency, "F",
              "Highest frequency of a truss or beam in Hz (default: 3)")
      .group("bell")
      .option("--strike", a->recipe.strike, "F", "Strike note in Hz (default: 440)")
      .group("ladder")
      .option("--sections", a->recipe.sections, "N", "Sections, two states each (default: 3)")
      .option("--R", a->recipe.r, "R,..", "Resistances, one or one per section (default: 0.1)")
      .option("--L", a->recipe.l, "L,..", "Inductances (default: 1)")
      .option("--C", a->recipe.c, "C,..", "Capacitances (default: 1)")
      .group("mass-spring, ltv-chain")
      .option("--masses", a->recipe.masses, "N", "Masses in the chain (default: 3)")
      .option("--mass", a->recipe.mass, "M", "Each mass (default: 1)")
      .option("--stiffness", a->recipe.stiffness, "K", "Each spring (default: 1)")
      .option("--damping", a->recipe.damping, "C",
              "Damper of each mass to the ground (default: 0.05)")
      .option("--drift", a->recipe.drift, "A",
              "Middle spring of ltv-chain drifts to K (1 + A) (default: 0.3)")
      .option("--tau", a->recipe.tau, "T", "In about this time, as tanh(t/T) (default: 15)")
      .group("network")
      .option(
          "--topology", a->recipe.topology, "NAME",
          "ladder (RLC), chain or grid (of masses and springs),\nring, tree or rlc-grid (default: ladder)")
      .option(
          "--size", a->recipe.size, "N|RxC",
          "Sections of a ladder, masses of a chain, states of a ring or tree,\nside of a grid or its rows x columns (default: 4); to a million")
      .option("--spread", a->recipe.spread, "F",
              "Largest over smallest element value, log-uniform (default: 1, all equal)")
      .option("--loss", a->recipe.loss, "D",
              "Mean size of resistances, dampers or losses (default: 0.1)")
      .option("--edges,--wiring", a->edges, "EDGES.csv",
              "Also write the topology: which channels couple, a pair\nfrom,to per line")
      .footer(
          "Examples:\n"
          "  lgn generate ladder --sections 3 --trajectories 5 --noise 5% -o ladder.csv --truth "
          "truth.json\n"
          "  lgn generate bell --noise 1% -o bell.wav && lgn fit bell.wav\n"
          "  lgn generate mass-spring --masses 4 --input steps --noise 2% --t1 200 -o driven.csv\n"
          "  lgn generate tower --noise 5% -o tower.csv && lgn fit tower.csv\n"
          "  lgn generate rlc --gamma 0.2 | lgn fit - --structure parametric:rlc\n"
          "  lgn generate network --size 100000 -o big.h5 --edges edges.csv\n"
          "  lgn generate network --topology tree --size 20 --spread 10 -o tree.csv --edges edges.csv")
      .run([a] { generate(*a); });
}

}  // namespace lgn::cli
