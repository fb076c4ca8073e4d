#pragma once

#include <stdexcept>
#include <string>

namespace lgn {

/// Where in a file something was found; zero means "not known" for line and column (both count from
/// 1).
struct Location {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
};

/// Bad input: data, options or a model file that cannot be used.
///
/// what() is one line, "file:line:column: what is wrong; what would help", with the parts that are
/// known.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& problem, const std::string& help = {},
                 const Location& location = {});

  const std::string& problem() const { return problem_; }
  const std::string& help() const { return help_; }
  const Location& location() const { return location_; }

 private:
  std::string problem_, help_;
  Location location_;
};

/// The input is well formed, but the system cannot be identified from it.
class NotIdentified : public Error {
 public:
  using Error::Error;
};

}  // namespace lgn
