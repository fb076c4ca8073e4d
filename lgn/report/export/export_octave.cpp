#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/report/export/export.h"
#include "lgn/report/export/export_internal.h"
#include "lgn/report/export/templates_internal.h"

namespace lgn {
namespace {

using namespace export_internal;

/// Text as an expression in ASCII: characters of Octave are bytes, those of MATLAB UTF-16, and both
/// convert from UTF-8.
std::string quoted(const std::string& text) {
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
  std::string result;
  if (plain) {
    for (const char c : text) result.append(c == '\'' ? 2 : 1, c);
    return "'" + result + "'";
  }
  for (const char c : array_internal::valid_utf8(text))
    result += fmt::format("{}{}", result.empty() ? "" : " ", static_cast<unsigned char>(c));
  return fmt::format("native2unicode(uint8([{}]), 'UTF-8')", result);
}

std::string vector(const Vector& values) { return fmt::format("[{}]", listed(values)); }

/// Of any size, n × 0 included.
std::string matrix(const Matrix& rows) {
  if (rows.size() == 0) return fmt::format("zeros({}, {})", rows.rows(), rows.cols());
  return fmt::format("[{}]", listed(rows, "", "", "; ...\n  "));
}

}  // namespace

bool is_function_name(const std::string& name) {
  constexpr std::size_t longest = 63;
  // Words of both languages, and functions of the script that it would hide.
  constexpr std::string_view taken =
      " break case catch classdef continue else elseif end end_try_catch for function global if "
      "otherwise parfor persistent return spmd switch try while do until endif endfor endfunction "
      "endwhile endswitch unwind_protect unwind_protect_cleanup end_unwind_protect endparfor "
      "states_at flow_maps basis_at generator_at magnus_step corners_between ";
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  return !name.empty() && name.size() <= longest && letter(name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return letter(c) || c == '_' || (c >= '0' && c <= '9'); }) &&
         taken.find(" " + name + " ") == taken.npos;
}

std::string octave_script(const Model& model, const std::string& name) {
  if (!is_function_name(name))
    throw Error(fmt::format("\"{}\" cannot be the name of a MATLAB function", one_line(name)),
                "use letters, digits and _, a letter first, and no word of the language");
  return rendered(embedded::octave_template, model, {quoted, vector, matrix, 1},
                  {{"name", name}, {"title", title(model)}});
}

}  // namespace lgn
