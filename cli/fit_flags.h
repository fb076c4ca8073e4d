#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "lgn/data/dataset.h"
#include "lgn/identify/fit_options.h"

namespace lgn::cli {

/// What a command that fits is told about it.
class FitFlags {
 public:
  FitFlags();
  /// Adds what to find, and the rules of networks.
  void add_to(Command& command);
  /// Adds how to find it. It must be the last heading but the command's own.
  void add_method_to(Command& command);

  /// Throws Error for values that cannot be.
  FitOptions options() const;
  /// What is said about a network of these channels.
  NetworkOptions network(const Dataset& data) const;
  /// The file of --edges; empty: none.
  const std::string& edges() const { return edges_; }

 private:
  std::map<std::string, std::string> options_;  ///< by the words of set_option
  std::vector<std::string> guesses_, kinds_, require_, forbid_;
  std::string edges_;
  bool thorough_ = false, passive_ = false;
};

}  // namespace lgn::cli
