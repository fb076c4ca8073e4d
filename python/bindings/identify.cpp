#include "lgn/identify.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "lgn/core/error.h"
#include "lgn/core/thread_limit.h"
#include "python/bindings/bindings.h"
#include "python/bindings/kept_memory.h"
#include "python/bindings/observer.h"

namespace lgn::python {
namespace {

template <class T>
T one_of(const char* option, const std::string& word, const std::map<std::string, T>& values) {
  if (const auto found = values.find(word); found != values.end()) return found->second;
  std::string words;
  for (const auto& [name, value] : values) words += (words.empty() ? "" : ", ") + name;
  throw Error(fmt::format("{} does not know \"{}\"", option, word), "it takes " + words);
}

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

  void read(const std::string& name, const py::handle& value) {
    const auto found = readers_.find(name);
    if (found == readers_.end()) throw py::type_error("fit() has no argument " + name);
    try {
      found->second(value);
    } catch (const py::cast_error&) {
      throw Error(fmt::format("{} cannot be {}", name, py::repr(value).cast<std::string>()));
    }
  }

  IdentifyOptions options;
  int threads = 1;
  Checkpoint checkpoint;

 private:
  template <class T>
  static std::function<void(const py::handle&)> into(T& field) {
    return [&field](const py::handle& value) { field = value.cast<T>(); };
  }

  const Dataset& data_;
  std::map<std::string, std::function<void(const py::handle&)>> readers_{
      {"structure", into(options.structure)},
      {"method", into(options.method)},
      {"basis", into(options.basis)},
      {"holdout", into(options.holdout)},
      {"confidence", into(options.confidence)},
      {"bootstrap", into(options.bootstrap)},
      {"seed", into(options.seed)},
      {"max_seconds", into(options.max_seconds)},
      {"time_unit", into(options.time_unit)},
      {"epochs", into(options.adam.epochs)},
      {"learning_rate", into(options.adam.learning_rate)},
      {"start", into(options.start)},
      {"threads",
       [this](const py::handle& v) {
         threads = options.threads = v.cast<int>();
         if (threads < 1) throw Error("threads must be positive");
       }},
      {"magnus",
       [this](const py::handle& v) {
         options.magnus.method = find_magnus_scheme(py::str(v).cast<std::string>()).name;
       }},
      {"x0",
       [this](const py::handle& v) {
         options.estimate_starts =
             one_of<bool>("x0", v.cast<std::string>(), {{"estimate", true}, {"measured", false}});
       }},
      {"loss",
       [this](const py::handle& v) {
         options.loss = one_of<Loss>("loss", v.cast<std::string>(),
                                     {{"squares", Loss::squares}, {"huber", Loss::huber}});
       }},
      {"errors",
       [this](const py::handle& v) {
         using Errors = IdentifyOptions::Errors;
         options.errors = one_of<Errors>(
             "errors", v.cast<std::string>(),
             {{"auto", Errors::automatic}, {"always", Errors::always}, {"never", Errors::never}});
       }},
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
      {"checkpoint",
       [this](const py::handle& v) {
         const auto [path, signature] = v.cast<std::pair<std::string, std::string>>();
         checkpoint = Checkpoint(path, signature);
         options.checkpoint = &checkpoint;
       }},
  };
};

std::shared_ptr<Model> identify_from(const Dataset& data, const py::dict& given,
                                     py::object callback) {
  Reader reader(data);
  for (const auto& [name, value] : given) reader.read(name.cast<std::string>(), value);
  const AdamOptions& adam = reader.options.adam;
  if (!(adam.learning_rate > 0) || adam.epochs < 1)
    throw Error("learning_rate and epochs must be positive");
  if (!(reader.options.max_seconds >= 0)) throw Error("max_seconds must not be negative");
  Observer observer(std::move(callback));
  reader.options.observe = [&observer](const FitProgress& progress) { return observer(progress); };
  const py::gil_scoped_release released;
  const ThreadLimit limit(reader.threads);
  const KeptMemory kept;
  return std::make_shared<Model>(identify(data, reader.options));
}

}  // namespace

void bind_identify(py::module_& m) {
  m.def("identify", &identify_from, py::arg("data"), py::arg("options"), py::arg("callback"));
}

}  // namespace lgn::python
