#include <fmt/format.h>

#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/report/export/export.h"
#include "lgn/report/export/export_internal.h"
#include "lgn/report/export/templates_internal.h"

namespace lgn {
namespace {

using namespace export_internal;

/// A string literal in ASCII.
std::string quoted(const std::string& text) {
  std::string literal = "\"";
  for (const std::uint32_t c : array_internal::code_points(text)) {
    if (c == '"' || c == '\\') literal += '\\';
    if (c >= ' ' && c < 0x7f)
      literal += static_cast<char>(c);
    else
      literal += c < 0x10000 ? fmt::format("\\u{:04x}", c) : fmt::format("\\U{:08x}", c);
  }
  return literal + "\"";
}

std::string vector(const Vector& values) {
  return fmt::format("np.array([{}], dtype=float)", listed(values));
}

/// Of any size, 0 × n included.
std::string matrix(const Matrix& rows) {
  if (rows.rows() == 0) return fmt::format("np.zeros((0, {}))", rows.cols());
  return fmt::format("np.array([\n    {}])", listed(rows, "[", "]", ",\n    "));
}

}  // namespace

std::string python_script(const Model& model) {
  return rendered(embedded::python_template, model, {quoted, vector, matrix, 0},
                  {{"starts", matrix(model.starts.transpose())}});
}

}  // namespace lgn
