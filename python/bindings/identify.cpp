#include "lgn/identify.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/core/thread_limit.h"
#include "python/bindings/bindings.h"
#include "python/bindings/kept_memory.h"
#include "python/bindings/observer.h"

namespace lgn::python {
namespace {

std::vector<ChannelPair> pairs_of(const py::handle& given, const Dataset& data,
                                  const char* option) {
  std::vector<ChannelPair> pairs;
  for (const auto& text : given.cast<std::vector<std::string>>())
    pairs.push_back(parse_pair(text, data.channels(), option));
  return pairs;
}

/// What each argument of fit() does to the options; those not given keep the library's defaults.
class Reader {
 public:
  explicit Reader(const Dataset& data) : data_(data) {}

  void read(std::string name, const py::handle& value) {
    try {
      if (const auto found = readers_.find(name); found != readers_.end())
        return found->second(value);
      std::replace(name.begin(), name.end(), '_', '-');
      const auto& known = option_names();
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw py::type_error("fit() has no argument " + name);
      set_option(options, name, py::str(value).cast<std::string>());
    } catch (const py::cast_error&) {
      throw Error(fmt::format("{} cannot be {}", name, py::repr(value).cast<std::string>()));
    }
  }

  FitOptions options;
  std::string checkpoint;

 private:
  template <class T>
  static std::function<void(const py::handle&)> into(T& field) {
    return [&field](const py::handle& value) { field = value.cast<T>(); };
  }

  const Dataset& data_;
  /// Arguments that are more than a word or a number.
  std::map<std::string, std::function<void(const py::handle&)>> readers_{
      {"start", into(options.start)},
      {"checkpoint", into(checkpoint)},
      {"holdout", into(options.holdout)},
      {"confidence", into(options.confidence)},
      {"max_seconds", into(options.max_seconds)},
      {"thorough", into(options.thorough)},
      {"passive", into(options.passive)},
      {"learning_rate", into(options.adam.learning_rate)},
      {"kinds",
       [this](const py::handle& v) {
         options.network.kinds =
             parse_kinds(v.cast<std::vector<std::string>>(), data_.channels().size());
       }},
      {"edges",
       [this](const py::handle& v) {
         EdgeRules& rules = options.network.rules;
         if (py::isinstance<py::str>(v))
           rules = read_edges(v.cast<std::string>(), data_.channels());
         else
           rules.pattern = pairs_of(v, data_, "edges");
       }},
      {"require",
       [this](const py::handle& v) {
         const auto pairs = pairs_of(v, data_, "require");
         auto& required = options.network.rules.required;
         required.insert(required.end(), pairs.begin(), pairs.end());
       }},
      {"forbid",
       [this](const py::handle& v) {
         const auto pairs = pairs_of(v, data_, "forbid");
         auto& forbidden = options.network.rules.forbidden;
         forbidden.insert(forbidden.end(), pairs.begin(), pairs.end());
       }},
  };
};

std::shared_ptr<Model> identify_from(const Dataset& data, const py::dict& given,
                                     py::object callback) {
  Reader reader(data);
  for (const auto& [name, value] : given) reader.read(name.cast<std::string>(), value);
  check_options(reader.options);
  Checkpoint checkpoint;
  if (!reader.checkpoint.empty()) {
    checkpoint = Checkpoint(reader.checkpoint, signature(reader.options, data));
    reader.options.checkpoint = &checkpoint;
  }
  Observer observer(std::move(callback));
  reader.options.observe = [&observer](const FitProgress& progress) { return observer(progress); };
  const py::gil_scoped_release released;
  const ThreadLimit limit(reader.options.threads);
  const KeptMemory kept;
  const StopScope watched(0, [&observer] {
    observer.watch();
    return false;
  });
  return std::make_shared<Model>(identify(data, reader.options));
}

}  // namespace

void bind_identify(py::module_& m) {
  m.def("identify", &identify_from, py::arg("data"), py::arg("options"), py::arg("callback"));
}

}  // namespace lgn::python
