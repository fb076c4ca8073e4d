#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "cli/commands.h"
#include "cli/data_options.h"
#include "cli/fit_flags.h"
#include "cli/flags.h"
#include "cli/interrupt.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "lgn/core/child_process.h"
#include "lgn/core/error.h"
#include "lgn/core/output_file.h"
#include "lgn/core/stop.h"
#include "lgn/data/checksum.h"
#include "lgn/identify.h"
#include "lgn/model/model_file.h"
#include "lgn/report/text/fleet_table.h"

namespace lgn::cli {
namespace {

namespace fs = std::filesystem;

struct FitManyArguments {
  DataOptions data;
  FitFlags flags;
  std::string output;
  int jobs = 1;
  bool again = false, quiet = false;
};

/// Where the models of these files go: named after them, with their folders where two have the same name.
std::vector<std::string> model_paths(const std::vector<std::string>& files,
                                     const std::string& folder) {
  std::map<std::string, int> uses;
  for (const auto& file : files) ++uses[fs::path(file).stem().string()];
  std::vector<std::string> paths;
  std::set<std::string> taken;
  for (const auto& file : files) {
    std::string name = fs::path(file).stem().string();
    if (uses[name] > 1) {
      name = file;
      std::replace(name.begin(), name.end(), '/', '_');
    }
    paths.push_back((fs::path(folder) / (name + ".json")).string());
    if (!taken.insert(paths.back()).second)
      throw Error("two records would have the same model", "name each file once", {file, 0, 0});
  }
  return paths;
}

/// One record: its file, where its model goes, and what `lgn fit` would have to be told.
struct Task {
  DataOptions data;
  std::string path, command;
};

/// Fits a record and writes its model; what a program would print otherwise is thrown.
void fit_one(const Task& task, const FitFlags& flags, const Interrupt& interrupt) {
  FitOptions options = flags.options();
  DataOptions source = task.data;
  source.reading.time_unit = options.time_unit;
  Reading reading;
  const Dataset data = source.read(true, &reading);
  options.network = flags.network(data);
  source.check(data, options);
  const StopScope stop(0, [&] { return interrupt.requested(); });
  Model model = identify(data, options);
  source.tell_origin(model, reading, sha256_of_files(source.files), task.command);
  write_model(model, task.path);
}

/// A process that fits one record, so that none can harm another. What went wrong comes through a pipe.
class Worker {
 public:
  Worker(std::size_t place, const Task& task, const FitFlags& flags, const Interrupt& interrupt)
      : place_(place), process_([&](int pipe) { work(task, flags, interrupt, pipe); }) {}
  // Whoever is not waited for any more is not to go on.
  ~Worker() { process_.send_signal(SIGKILL); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  std::size_t place() const { return place_; }
  int descriptor() const { return process_.descriptor(); }
  void ask_to_end() const { process_.send_signal(SIGTERM); }

  /// Takes what has come; whether the process has ended.
  bool read() {
    std::array<char, 4096> bytes;
    const ssize_t got = ::read(descriptor(), bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) return false;
    if (got > 0) {
      problem_.append(bytes.data(), static_cast<std::size_t>(got));
      return false;
    }
    const int status = process_.wait();
    if (WIFSIGNALED(status))
      problem_ = fmt::format("the fit was ended by signal {}", WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0 && problem_.empty())
      problem_ = fmt::format("the fit ended with status {}", WEXITSTATUS(status));
    return true;
  }
  /// Why there is no model; empty where there is one.
  const std::string& problem() const { return problem_; }

 private:
  [[noreturn]] static void work(const Task& task, const FitFlags& flags, const Interrupt& interrupt,
                                int pipe) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    std::string problem;
    try {
      fit_one(task, flags, interrupt);
    } catch (const std::bad_alloc&) {
      problem = "not enough memory";
    } catch (const std::exception& error) {
      problem = with_flags(error.what());
    }
    std::replace(problem.begin(), problem.end(), '\n', ' ');
    if (!problem.empty() && ::write(pipe, problem.data(), problem.size()) < 0) ::_exit(2);
    ::_exit(problem.empty() ? 0 : 1);
  }

  std::size_t place_;
  ChildProcess process_;
  std::string problem_;
};

/// The model of an earlier run, if it is of the same data and options.
std::optional<FleetRecord> kept(const Task& task) {
  const std::string& file = task.data.files.front();
  std::error_code ignored;
  if (!fs::is_regular_file(task.path, ignored)) return {};
  try {
    const Model model = read_model(task.path);
    const bool stopped = std::any_of(model.warnings.begin(), model.warnings.end(),
                                     [](const auto& warning) { return warning.code == "stopped"; });
    if (stopped || model.command != task.command ||
        model.data.sha256 != sha256_of_files(task.data.files))
      return {};
    return fleet_record(model, file, task.path);
  } catch (const Error&) {
    return {};
  }
}

/// All records, in the order of the files; lines are printed in that order as they are known.
class Fleet {
 public:
  Fleet(std::vector<Task> tasks, const FitManyArguments& arguments)
      : tasks_(std::move(tasks)), arguments_(arguments), records_(tasks_.size()) {}

  std::vector<FleetRecord> run() {
    const Interrupt interrupt;
    std::size_t next = 0;
    bool asked = false;
    const auto jobs = static_cast<std::size_t>(arguments_.jobs);
    while (next < tasks_.size() || !workers_.empty()) {
      if (interrupt.requested() && !asked) {
        asked = true;
        next = tasks_.size();
        for (const auto& worker : workers_) worker->ask_to_end();
      }
      while (next < tasks_.size() && workers_.size() < jobs) begin(next++, interrupt);
      if (!workers_.empty()) wait();
    }
    // What was not begun is not told about.
    std::vector<FleetRecord> result;
    for (auto& record : records_)
      if (record) result.push_back(std::move(*record));
    return result;
  }

 private:
  void begin(std::size_t place, const Interrupt& interrupt) {
    const Task& task = tasks_[place];
    if (auto earlier = arguments_.again ? std::nullopt : kept(task)) {
      tell(place, std::move(*earlier));
      return;
    }
    std::cout.flush();  // or the process would have those lines, too
    workers_.push_back(std::make_unique<Worker>(place, task, arguments_.flags, interrupt));
  }

  void wait() {
    std::vector<pollfd> waiting;
    for (const auto& worker : workers_) waiting.push_back({worker->descriptor(), POLLIN, 0});
    constexpr int milliseconds = 200;
    if (::poll(waiting.data(), waiting.size(), milliseconds) <= 0) return;
    for (std::size_t k = waiting.size(); k-- > 0;) {
      if (waiting[k].revents == 0 || !workers_[k]->read()) continue;
      const Worker& done = *workers_[k];
      const Task& task = tasks_[done.place()];
      FleetRecord record;
      record.file = task.data.files.front();
      record.problem = done.problem();
      if (record.problem.empty())
        record = fleet_record(read_model(task.path), record.file, task.path);
      tell(done.place(), std::move(record));
      workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }

  void tell(std::size_t place, FleetRecord record) {
    records_[place] = std::move(record);
    for (; told_ < records_.size() && records_[told_]; ++told_)
      if (!arguments_.quiet) std::cout << fleet_line(*records_[told_]) << '\n';
  }

  std::vector<Task> tasks_;
  const FitManyArguments& arguments_;
  std::vector<std::optional<FleetRecord>> records_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::size_t told_ = 0;
};

void fit_many(const FitManyArguments& arguments, const std::string& options) {
  arguments.flags.options();  // what is wrong with them is wrong for all records
  if (arguments.jobs < 1) throw Error("--jobs must be positive", "give a number such as 2");
  std::error_code failed;
  fs::create_directories(arguments.output, failed);
  if (failed)
    throw Error("the folder cannot be made: " + failed.message(), {}, {arguments.output, 0, 0});
  const std::string summary = (fs::path(arguments.output) / "summary.csv").string();
  const std::vector<std::string> paths = model_paths(arguments.data.files, arguments.output);
  check_outputs({summary}, arguments.data.files);
  std::vector<Task> tasks;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    const std::string& file = arguments.data.files[k];
    if (file == "-") throw Error("records are files", "lgn fit reads standard input");
    Task task{arguments.data, paths[k], fmt::format("lgn fit {}{}", file, options)};
    task.data.files = {file};
    tasks.push_back(std::move(task));
  }
  const std::size_t all = tasks.size();
  std::vector<FleetRecord> records = Fleet(std::move(tasks), arguments).run();
  mark_outliers(records);
  write_file(summary, fleet_csv(records));
  if (!arguments.quiet) std::cout << '\n' << fleet_summary(records);
  if (records.size() < all)
    std::cout << fmt::format("stopped: {} of {} records were not begun; the same command goes on\n",
                             all - records.size(), all);
  if (std::all_of(records.begin(), records.end(), [](const auto& r) { return r.model.empty(); }))
    throw NotIdentified("no record could be identified", "lgn inspect says what a file holds");
}

}  // namespace

void add_fit_many(CommandLine& line) {
  auto arguments = std::make_shared<FitManyArguments>();
  Command command =
      line.add("fit-many", "identify many records, each on its own: a model each and one summary");
  arguments->data.add_to(command);
  command
      .option("-o,--output", arguments->output, "DIR",
              "Write the models, and summary.csv, into this folder (default: models)")
      .option("--jobs", arguments->jobs, "N", "Records at a time (default: 1)")
      .flag("--again", arguments->again,
            "Fit records anew whose models are there already; else those of\n"
            "the same data and options are kept, so that the same command\n"
            "goes on where it was ended")
      .flag("--quiet", arguments->quiet, "No lines, no table");
  arguments->output = "models";
  arguments->flags.add_to(command);
  arguments->flags.add_method_to(command);
  command
      .footer(
          "Examples:\n"
          "  lgn fit-many records/*.csv -o models --jobs 2\n"
          "  lgn fit-many *.csv --structure sd --holdout 0.2\n"
          "Exit status: 0 done, 1 no record was identified, 2 bad usage.")
      .run([arguments, &line] {
        const std::string name = "lgn fit-many";
        const std::string options =
            line.typed({"-o", "--output", "--jobs", "--again", "--quiet", "--max-seconds"},
                       arguments->data.files)
                .substr(name.size());
        fit_many(*arguments, options);
      });
}

}  // namespace lgn::cli
