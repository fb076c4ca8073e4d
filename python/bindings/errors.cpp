#include "lgn/core/error.h"

#include <exception>
#include <new>
#include <regex>
#include <string>

#include "python/bindings/bindings.h"

namespace lgn::python {
namespace {

PyObject* error_type = nullptr;
PyObject* not_identified_type = nullptr;

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

void raise(PyObject* type, const Error& error) {
  const Error worded(for_python(error.problem()), for_python(error.help()), error.location());
  const py::object exception = py::handle(type)(text_of(worded.what()));
  const Location& at = error.location();
  const auto known = [](std::size_t n) -> py::object {
    if (n == 0) return py::none();
    return py::int_(n);
  };
  exception.attr("problem") = text_of(worded.problem());
  exception.attr("help") = text_of(worded.help());
  exception.attr("file") = at.file.empty() ? py::object(py::none()) : py::object(text_of(at.file));
  exception.attr("line") = known(at.line);
  exception.attr("column") = known(at.column);
  PyErr_SetObject(type, exception.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const NotIdentified& error) {
    raise(not_identified_type, error);
  } catch (const Error& error) {
    raise(error_type, error);
  }
}

}  // namespace

void bind_errors(py::module_& m) {
  error_type = PyErr_NewExceptionWithDoc(
      "lgn.Error",
      "Data, options or a model file that cannot be used.\n\n"
      "The text is one line: where, what is wrong, what would help. The parts are in the attributes\n"
      "problem, help, file, line and column; those that are not known are None or empty.",
      PyExc_ValueError, nullptr);
  if (error_type == nullptr) throw py::error_already_set();
  not_identified_type = PyErr_NewExceptionWithDoc(
      "lgn.NotIdentified", "The data are well formed, but no system can be identified from them.",
      error_type, nullptr);
  if (not_identified_type == nullptr) throw py::error_already_set();
  m.attr("Error") = py::handle(error_type);
  m.attr("NotIdentified") = py::handle(not_identified_type);
  py::register_exception_translator(translate);
  m.def("for_python", &for_python, py::arg("text"));
}

}  // namespace lgn::python
