#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lgn::cli {

/// One subcommand: its options are bound to variables, and `run` is called after they are filled.
class Command {
 public:
  explicit Command(void* app) : app_(app) {}

  /// A required argument without a dash.
  Command& argument(const std::string& name, std::string& value, const std::string& help);
  Command& arguments(const std::string& name, std::vector<std::string>& values,
                     const std::string& help);
  /// The same where there may be none.
  Command& optional_arguments(const std::string& name, std::vector<std::string>& values,
                              const std::string& help);

  /// An option such as "-o,--output"; `shown` is what the help shows for its value. Lists
  /// take commas.
  template <class T>
  Command& option(const std::string& names, T& value, const std::string& shown,
                  const std::string& help);
  /// A text that holds commas of its own; given several times, there are several.
  Command& repeated(const std::string& names, std::vector<std::string>& values,
                    const std::string& shown, const std::string& help);
  Command& flag(const std::string& names, bool& value, const std::string& help);
  /// Options added from here on stand under this heading in the help.
  Command& group(const std::string& heading);
  /// Text under the options, for examples.
  Command& footer(const std::string& text);

  Command& run(std::function<void()> action);

 private:
  void* app_;  ///< the parser's own type stays in one source file: it takes seconds to compile
  std::string heading_ = "Options";
};

/// The program's command line.
class CommandLine {
 public:
  CommandLine(const std::string& description, const std::string& version);
  ~CommandLine();

  /// Adds a subcommand, with --max-seconds, which every one obeys. Variables bound to it must live as long as the command
  /// line.
  Command add(const std::string& name, const std::string& help);
  /// Adds a subcommand of another program, with the long names of its options: for the help and for completions.
  void list(const std::string& name, const std::string& help,
            const std::vector<std::string>& options);
  /// Adds `completion SHELL`, which prints a script that completes commands and options.
  void add_completion();

  /// Parses, runs the chosen command and returns the exit status: 0 done, 2 bad usage. Errors of
  /// the command itself pass through.
  int run(int count, char** words);

  /// What --max-seconds says; 0: nothing.
  double max_seconds() const;

  /// What was typed, in a form that a shell reads the same way again, without these options and their values, and without
  /// these arguments.
  std::string typed(const std::vector<std::string>& without = {},
                    const std::vector<std::string>& arguments = {}) const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::vector<std::string> words_;
};

}  // namespace lgn::cli
