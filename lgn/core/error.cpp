#include "lgn/core/error.h"

#include <fmt/format.h>

namespace lgn {
namespace {

std::string one_line(const std::string& problem, const std::string& help, const Location& at) {
  std::string text = at.file;
  if (at.line > 0) text += fmt::format(":{}", at.line);
  if (at.column > 0) text += fmt::format(":{}", at.column);
  if (!text.empty()) text += ": ";
  text += problem;
  if (!help.empty()) text += "; " + help;
  return text;
}

}  // namespace

Error::Error(const std::string& problem, const std::string& help, const Location& location)
    : std::runtime_error(one_line(problem, help, location)),
      problem_(problem),
      help_(help),
      location_(location) {}

}  // namespace lgn
