#include "lgn/core/error.h"

#include <exception>
#include <new>
#include <regex>
#include <string>

#include "python/bindings/bindings.h"

namespace lgn::python {
namespace {

/// The library words its help for the program: --max-seconds is the argument max_seconds here.
std::string for_python(const std::string& text) {
  static const std::regex option("--([A-Za-z][A-Za-z0-9-]*)");
  std::string result;
  auto rest = text.cbegin();
  for (std::sregex_iterator found(text.begin(), text.end(), option), end; found != end; ++found) {
    result.append(rest, (*found)[0].first);
    for (const char c : found->str(1)) result += c == '-' ? '_' : c;
    rest = (*found)[0].second;
  }
  return result.append(rest, text.cend());
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

void bind_errors(py::module_& m) {
  py::register_exception_translator(translate);
  m.def("for_python", &for_python, py::arg("text"));
}

}  // namespace lgn::python
