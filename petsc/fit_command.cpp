#include "petsc/fit_command.h"

#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/data_options.h"
#include "cli/fit_flags.h"
#include "cli/flags.h"
#include "cli/interrupt.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "lgn/core/checkpoint.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/checksum.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/network_pattern.h"
#include "lgn/identify/fit_structure.h"
#include "lgn/identify/offset.h"
#include "lgn/identify/sparse/engine.h"
#include "lgn/identify/wiring/network_fit.h"
#include "lgn/large_network_internal.h"
#include "lgn/model/model_file.h"
#include "lgn/report/text/tables.h"
#include "petsc/distributed_start.h"
#include "petsc/slices.h"
#include "petsc/slow_poles.h"

namespace lgn::petsc {
namespace {

struct FitArguments {
  cli::DataOptions data;
  cli::FitFlags flags;
  std::string output, checkpoint;
  bool quiet = false;
};

/// What is said about a file is checked against data with its channels and hardly any samples.
Dataset outline(const std::vector<std::string>& channels, const Vector& times) {
  const Vector two = times.head(2);
  return Dataset(channels, {Trajectory("1", two, Matrix::Zero(std::ssize(channels), 2))});
}

/// Rank 0 reads names and topology.
struct Asked {
  WholeNetwork whole;
  std::vector<std::string> channels;
  std::string signature, checksum;
};

Asked read_question(const FitArguments& arguments, const Hdf5Slices& file,
                    const FitOptions& given) {
  Asked asked;
  asked.channels = file.names();
  const Dataset data = outline(asked.channels, file.times(0));
  FitOptions options = given;
  options.network = arguments.flags.network(data);
  if (options.network.kinds.empty()) options.network.kinds = guess_kinds(asked.channels);
  // The algorithm is the same.
  options.engine = Engine::sparse;
  uses_sparse_engine(data, options);
  if (options.network.rules.pattern.empty())
    throw Error("a fit on several processes needs the topology of the network",
                "give the pairs that couple with " + setting("edges", "FILE") +
                    ", or find them with " + setting("engine", "sparse"));
  check_options(options);
  const bool mechanical = network_asked(options) == "mechanical";
  asked.whole = {network_nodes(asked.channels, options.network.kinds, mechanical), options.network};
  asked.checksum = sha256_of_files(arguments.data.files);
  asked.signature = signature(options, data) + " of " + asked.checksum;
  return asked;
}

/// Its samples less what is given of them at rest.
Dataset without_offset(const Dataset& own, const std::vector<Index>& states,
                       const FitOptions& options, Index channels) {
  if (options.offset != Offset::given) return own;
  const Vector offset = given_offset(options, channels);
  Vector of_own(own.dimension());
  for (Index i = 0; i < of_own.size(); ++i) of_own[i] = offset[states[static_cast<std::size_t>(i)]];
  return own.less(of_own);
}

/// The slowest poles of what was found, as a line.
std::string slowest_line(const SparseFit& found, const RowPartition& partition) {
  constexpr Index count = 6;
  const NetworkPattern generator(*found.structure, found.partition);
  const Vector theta =
      partition.scattered(partition.shared(found.theta), found.structure->parameters());
  std::string line;
  for (const Complex pole :
       slowest_poles(partition, generator.pattern(), generator.values(theta), count))
    line += fmt::format("{}{:.6g}{}", line.empty() ? "slowest poles: " : ", ", pole.real(),
                        pole.imag() > 0 ? fmt::format(" ± {:.6g}i", pole.imag()) : "");
  return line.empty() ? line : line + '\n';
}

double power_of(const Dataset& data) {
  double power = 0;
  for (const auto& run : data.runs())
    power += run.states().array().isNaN().select(0.0, run.states().array()).square().sum();
  return power;
}

void check_words(const FitArguments& arguments) {
  if (arguments.data.files.size() != 1)
    throw Error("several ranks read slices of one file", "put all runs into one HDF5 file");
  const ReadOptions& reading = arguments.data.reading;
  if (!reading.channels.empty() || !reading.inputs.empty() || !reading.columns.empty() ||
      !reading.time.empty() || !reading.dt.empty() || !reading.rate.empty() ||
      !reading.variable.empty() || !reading.end.empty() ||
      (reading.begin != "auto" && reading.begin != "all"))
    throw Error("several ranks read a file as it is",
                "leave out options that choose among its arrays, channels and times");
  cli::check_outputs({arguments.output, arguments.checkpoint},
                     {arguments.data.files.front(), arguments.flags.edges()});
}

/// Whether a fit has been asked to end: at once where it has an answer, a little later where it has none yet.
class Ending {
 public:
  bool operator()(bool can_be_done_without) {
    if (!interrupt_.requested()) return false;
    if (!asked_) asked_ = std::chrono::steady_clock::now();
    // The first pass over data of this size takes seconds.
    constexpr std::chrono::seconds allowance(5);
    return can_be_done_without || std::chrono::steady_clock::now() > *asked_ + allowance;
  }

 private:
  cli::Interrupt interrupt_;
  std::optional<std::chrono::steady_clock::time_point> asked_;
};

/// What the search finds, or why there is nothing.
SparseFit first_answer(const Dataset& own, const DistributedStart& start,
                       const FitOptions& options) {
  try {
    return fit_from_starts(own, options, [&](double width) { return start.at(own, width); });
  } catch (const Stopped& stopped) {
    throw NotIdentified(stopped.what(), "allow more with " + setting("max_seconds"));
  }
}

void fit(const FitArguments& arguments, const Ranks& ranks, const std::string& command) {
  const auto begin = std::chrono::steady_clock::now();
  FitOptions options = arguments.flags.options();
  ranks.on_root([&] { check_words(arguments); });
  const Hdf5Slices file(arguments.data.files.front());
  Asked asked;
  Checkpoint checkpoint;
  ranks.on_root([&] {
    asked = read_question(arguments, file, options);
    if (!arguments.checkpoint.empty())
      checkpoint = Checkpoint(arguments.checkpoint, asked.signature);
  });
  if (!arguments.checkpoint.empty()) options.checkpoint = &checkpoint;
  Ending ending;
  std::optional<cli::ProgressBar> bar;
  if (ranks.is_root()) bar.emplace(arguments.quiet);
  options.observe = [&](const FitProgress& progress) {
    if (bar) bar->show(progress);
    return true;
  };
  const DistributedStart start(ranks, std::move(asked.whole), [&](bool can_be_done_without) {
    return ending(can_be_done_without);
  });
  const Dataset own = without_offset(read_own_states(ranks, file, start.own_states()),
                                     start.own_states(), options, file.channels());
  SparseFit found = first_answer(own, start, options);
  bar.reset();
  const auto& partition = dynamic_cast<const RowPartition&>(*found.partition);
  const std::string slowest = slowest_line(found, partition);
  const double power = partition.sum(power_of(own));
  ranks.on_root([&] {
    found.structure = std::make_shared<NetworkStructure>(partition.whole()->without(found.kept));
    LargeData about{
        asked.channels, file.runs(), own.samples(), median_step(own), longest_duration(own),
        power,          {}};
    if (options.offset == Offset::given) about.offset = given_offset(options, file.channels());
    Model model = large_model(found, about, options);
    model.fit.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    arguments.data.tell_origin(model, Reading{}, asked.checksum, command);
    if (!arguments.output.empty()) cli::write_together({{arguments.output, model_to_json(model)}});
    if (!arguments.quiet && arguments.output != "-")
      std::cout << cli::with_flags(summary_text(model)) << slowest << std::flush;
  });
}

}  // namespace

void add_fit(cli::CommandLine& line, const Ranks& ranks) {
  auto arguments = std::make_shared<FitArguments>();
  cli::Command command =
      line.add("fit", "identify a large network of a known topology on the ranks of mpirun");
  arguments->data.add_to(command);
  command.option("-o,--output", arguments->output, "MODEL.json", "Write the model")
      .flag("--quiet", arguments->quiet, "No table, no progress");
  arguments->flags.add_to(command);
  arguments->flags.add_method_to(command);
  command
      .option("--checkpoint", arguments->checkpoint, "FILE",
              "Keep the state of the fit; the same command goes on from it, with\n"
              "any number of ranks")
      .footer(
          "Example:\n"
          "  mpirun -n 4 lgn fit big.h5 --structure network --edges edges.csv --engine petsc -o model.json")
      .run([arguments, &line, &ranks] {
        fit(*arguments, ranks,
            line.typed({"-o", "--output", "--checkpoint", "--threads", "--quiet"}));
      });
}

}  // namespace lgn::petsc
