#include "lgn/core/error.h"

#include <exception>
#include <new>
#include <regex>
#include <string>

#include "lgn/core/setting.h"
#include "python/bindings/bindings.h"

namespace lgn::python {
namespace {

/// A value as Python writes it: numbers bare, lists in brackets, words in quotes.
std::string literal(const std::string& value) {
  static const std::regex number("[-+]?[0-9.]+(e[-+]?[0-9]+)?"), comma(",");
  if (std::regex_match(value, number) || value == "…") return value;
  if (value.find(',') == std::string::npos) return '"' + value + '"';
  std::string items;
  for (std::sregex_token_iterator item(value.begin(), value.end(), comma, -1), end; item != end;
       ++item)
    items += (items.empty() ? "" : ", ") + literal(*item);
  return '[' + items + ']';
}

/// UTF-8 as far as it is; file names need not be.
py::str text_of(const std::string& text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

/// Raises the exception of that name of the package, with all its parts.
void raise(const char* name, const Error& error) {
  const Location& at = error.location();
  const auto known = [](std::size_t n) -> py::object {
    if (n == 0) return py::none();
    return py::int_(n);
  };
  const py::object file = at.file.empty() ? py::object(py::none()) : py::object(text_of(at.file));
  const py::object type = py::module_::import("lgn._errors").attr(name);
  const py::object exception =
      type(text_of(for_python(error.problem())), text_of(for_python(error.help())), file,
           known(at.line), known(at.column));
  PyErr_SetObject(type.ptr(), exception.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const NotIdentified& error) {
    raise("NotIdentified", error);
  } catch (const Error& error) {
    raise("Error", error);
  }
}

}  // namespace

std::string for_python(const std::string& message) {
  return write_settings(message, [](std::string_view name, std::string_view value) {
    return std::string(name) + '=' + (value.empty() ? "" : literal(std::string(value)));
  });
}

void bind_errors(py::module_&) { py::register_exception_translator(translate); }

}  // namespace lgn::python
