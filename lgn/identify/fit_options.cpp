#include "lgn/identify/fit_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/checksum.h"
#include "lgn/identify/nonlinear/law_fit.h"
#include "lgn/version.h"

namespace lgn {
namespace {

/// Words for the values of an enumeration.
template <class T>
using Words = std::vector<std::pair<const char*, T>>;

const Words<Method> methods{{"auto", Method::automatic},
                            {"closed-form", Method::closed_form},
                            {"mle", Method::likelihood},
                            {"adam", Method::adam},
                            {"successive", Method::successive}};
const Words<Engine> engines{{"auto", Engine::automatic},
                            {"dense", Engine::dense},
                            {"sparse", Engine::sparse},
                            {"petsc", Engine::petsc}};
const Words<Loss> losses{
    {"auto", Loss::automatic}, {"squares", Loss::squares}, {"huber", Loss::huber}};
const Words<Basis> bases{{"auto", Basis::automatic},
                         {"harmonics", Basis::harmonics},
                         {"spline", Basis::spline},
                         {"fourier", Basis::fourier}};
const Words<Errors> errors{
    {"auto", Errors::automatic}, {"always", Errors::always}, {"never", Errors::never}};
const Words<bool> initial_states{{"estimate", true}, {"measured", false}};
const Words<bool> yes_or_no{{"yes", true}, {"no", false}};

/// One option: its word, how text becomes its value and the other way round.
struct Option {
  std::string name;
  std::function<void(FitOptions&, const std::string&)> set;
  std::function<std::string(const FitOptions&)> get;
  bool signs = true;  ///< whether it changes the result
};

/// The setting that a word names: learning_rate for learning-rate.
std::string setting_of(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return setting(name);
}

template <class T, class Field>
Option choice(const char* name, Field field, const Words<T>& words, bool signs = true) {
  return {name,
          [=](FitOptions& options, const std::string& text) {
            for (const auto& [word, value] : words)
              if (text == word) {
                field(options) = value;
                return;
              }
            std::vector<std::string> all;
            for (const auto& [word, value] : words) all.emplace_back(word);
            std::sort(all.begin(), all.end());
            throw Error(fmt::format("{} does not know \"{}\"", setting_of(name), text),
                        fmt::format("it takes {}", fmt::join(all, ", ")));
          },
          [=](const FitOptions& options) -> std::string {
            for (const auto& [word, value] : words)
              if (field(options) == value) return word;
            return "?";
          },
          signs};
}

template <class T>
T parsed(const std::string& name, const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end)
    throw Error(fmt::format("{} does not understand \"{}\"", setting_of(name), text),
                std::is_floating_point_v<T> ? "give a number" : "give a whole number");
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(value))
      throw Error(fmt::format("{} cannot be {}", setting_of(name), text), "give a finite number");
  return value;
}

template <class Field>
Option number(const char* name, Field field, bool signs = true) {
  return {name,
          [=](FitOptions& options, const std::string& text) {
            auto& value = field(options);
            value = parsed<std::decay_t<decltype(value)>>(name, text);
          },
          [=](const FitOptions& options) { return fmt::format("{}", field(options)); }, signs};
}

std::pair<std::string, double> named_number(const std::string& text) {
  const auto equals = text.find('=');
  try {
    if (equals != std::string::npos && equals > 0)
      return {text.substr(0, equals), parsed<double>("start", text.substr(equals + 1))};
  } catch (const Error&) {
  }
  throw Error(fmt::format("{} does not understand \"{}\"", setting("start"), text),
              "write NAME=VALUE, such as gamma=0.1");
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

Option start_option() {
  return {"start",
          [](FitOptions& options, const std::string& text) {
            options.start.clear();
            for (const auto& part : split_list(text)) options.start.push_back(named_number(part));
          },
          [](const FitOptions& options) {
            std::string text;
            for (const auto& [name, value] : options.start)
              text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
            return text;
          }};
}

const Words<Offset> offsets{
    {"auto", Offset::automatic}, {"none", Offset::none}, {"estimate", Offset::estimate}};

/// A word, or a number for each channel.
Option offset_option() {
  const Option words = choice<Offset>(
      "offset", [](auto& o) -> auto& { return o.offset; }, offsets);
  return {words.name,
          [=](FitOptions& options, const std::string& text) {
            options.offset_values.resize(0);
            if (text.empty() || text.find_first_of("0123456789") == std::string::npos)
              return words.set(options, text);
            const auto parts = split_list(text);
            options.offset = Offset::given;
            options.offset_values.resize(static_cast<Index>(parts.size()));
            for (std::size_t k = 0; k < parts.size(); ++k)
              options.offset_values[static_cast<Index>(k)] = parsed<double>("offset", parts[k]);
          },
          [=](const FitOptions& options) {
            if (options.offset != Offset::given) return words.get(options);
            return fmt::format("{}", fmt::join(options.offset_values, ","));
          }};
}

const Words<States> state_words{{"auto", States::automatic}, {"measured", States::measured}};
const Words<Record> records{{"auto", Record::automatic},
                            {"free", Record::free},
                            {"driven", Record::driven},
                            {"ambient", Record::ambient}};

const Words<InputHold> holds{
    {"auto", InputHold::automatic}, {"zoh", InputHold::zoh}, {"foh", InputHold::foh}};
const Words<Feedthrough> feedthroughs{
    {"auto", Feedthrough::automatic}, {"yes", Feedthrough::yes}, {"no", Feedthrough::no}};
const Words<Delay> delays{{"auto", Delay::automatic}};

const Words<NoiseModel> noise_models{{"auto", NoiseModel::automatic},
                                     {"output", NoiseModel::output},
                                     {"innovation", NoiseModel::innovation}};

/// A word, or how long.
Option delay_option() {
  const Option words = choice<Delay>(
      "delay", [](auto& o) -> auto& { return o.delay; }, delays);
  return {words.name,
          [=](FitOptions& options, const std::string& text) {
            options.delay_value = 0;
            if (text.find_first_of("0123456789") == std::string::npos)
              return words.set(options, text);
            options.delay = Delay::given;
            options.delay_value = parsed<double>("delay", text);
          },
          [=](const FitOptions& options) {
            return options.delay == Delay::given ? fmt::format("{}", options.delay_value)
                                                 : words.get(options);
          }};
}

/// A word, or how many.
Option states_option() {
  const Option words = choice<States>(
      "states", [](auto& o) -> auto& { return o.states; }, state_words);
  return {words.name,
          [=](FitOptions& options, const std::string& text) {
            if (text.find_first_of("0123456789") == std::string::npos)
              return words.set(options, text);
            options.states = States::given;
            options.state_count = parsed<Index>("states", text);
          },
          [=](const FitOptions& options) {
            return options.states == States::given ? std::to_string(options.state_count)
                                                   : words.get(options);
          }};
}

const std::vector<Option>& table() {
  static const std::vector<Option> options{
      {"structure", [](FitOptions& o, const std::string& text) { o.structure = text; },
       [](const FitOptions& o) { return o.structure; }},
      states_option(),
      choice(
          "record", [](auto& o) -> auto& { return o.record; }, records),
      choice(
          "hold", [](auto& o) -> auto& { return o.hold; }, holds),
      choice(
          "feedthrough", [](auto& o) -> auto& { return o.feedthrough; }, feedthroughs),
      delay_option(),
      choice(
          "passive", [](auto& o) -> auto& { return o.passive; }, yes_or_no),
      choice(
          "noise-model", [](auto& o) -> auto& { return o.noise_model; }, noise_models),
      choice(
          "method", [](auto& o) -> auto& { return o.method; }, methods),
      choice(
          "engine", [](auto& o) -> auto& { return o.engine; }, engines),
      choice(
          "basis", [](auto& o) -> auto& { return o.basis; }, bases),
      {"magnus",
       [](FitOptions& o, const std::string& text) {
         o.magnus.method = find_magnus_scheme(text).name;
       },
       [](const FitOptions& o) { return std::string(o.magnus.method); }},
      choice(
          "loss", [](auto& o) -> auto& { return o.loss; }, losses),
      choice(
          "x0", [](auto& o) -> auto& { return o.estimate_initial_states; }, initial_states),
      offset_option(),
      start_option(),
      number(
          "holdout", [](auto& o) -> auto& { return o.holdout; }),
      number(
          "confidence", [](auto& o) -> auto& { return o.confidence; }, false),
      choice(
          "errors", [](auto& o) -> auto& { return o.errors; }, errors, false),
      number(
          "bootstrap", [](auto& o) -> auto& { return o.bootstrap; }, false),
      number(
          "epochs", [](auto& o) -> auto& { return o.adam.epochs; }),
      number(
          "learning-rate", [](auto& o) -> auto& { return o.adam.learning_rate; }),
      number(
          "seed", [](auto& o) -> auto& { return o.seed; }),
      number(
          "threads", [](auto& o) -> auto& { return o.threads; }),
      number(
          "max-seconds", [](auto& o) -> auto& { return o.max_seconds; }, false),
      choice(
          "thorough", [](auto& o) -> auto& { return o.thorough; }, yes_or_no),
      {"time-unit", [](FitOptions& o, const std::string& text) { o.time_unit = text; },
       [](const FitOptions& o) { return o.time_unit; }, false}};
  return options;
}

std::string text_of(const std::vector<ChannelPair>& pairs) {
  std::string text;
  for (const auto& [i, j] : pairs) text += fmt::format("{}:{},", i, j);
  return text;
}

}  // namespace

AdamOptions long_training() {
  AdamOptions options;
  options.epochs = 20000;
  options.smallest_rate = 1e-12;
  return options;
}

void set_option(FitOptions& options, const std::string& name, const std::string& value) {
  const auto found = std::find_if(table().begin(), table().end(),
                                  [&](const Option& option) { return option.name == name; });
  if (found == table().end())
    throw Error(fmt::format("a fit has no option \"{}\"", name),
                fmt::format("it has {}", fmt::join(option_names(), ", ")));
  found->set(options, value);
}

const std::vector<std::string>& option_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Option& option : table()) all.push_back(option.name);
    return all;
  }();
  return names;
}

void check_options(const FitOptions& options) {
  if (!(options.adam.learning_rate > 0) || options.adam.epochs < 1 || options.threads < 1)
    throw Error(fmt::format("{}, {} and {} must be positive", setting("learning_rate"),
                            setting("epochs"), setting("threads")));
  if (!(options.delay_value >= 0))
    throw Error(setting("delay") + " must not be negative",
                "an input that acts before it is given has a wrong time axis");
  if (!(options.max_seconds >= 0)) throw Error(setting("max_seconds") + " must not be negative");
  if (!(options.confidence > 0 && options.confidence < 1))
    throw Error(setting("confidence") + " must be between 0 and 1", "give a number such as 0.95");
  if (options.method == Method::successive &&
      (options.custom_structure || !is_nonlinear(options.structure)))
    throw Error(setting("method", "successive") + " is for nonlinear laws",
                "choose " + setting("structure", "nonlinear") + " or one kind of them");
  constexpr Index fewest_samples = 20, most_samples = 1'000'000;  // all of them are kept
  if (options.bootstrap != 0 &&
      (options.bootstrap < fewest_samples || options.bootstrap > most_samples))
    throw Error(
        fmt::format("{} takes between {} and {} samples", setting("bootstrap"), fewest_samples,
                    most_samples),
        "use " + setting("bootstrap", "1000") + ", which is enough for standard errors within 3%");
}

std::string signature(const FitOptions& options, const Dataset& data) {
  std::string text = fmt::format("{} data={} ", version, fingerprint(data));
  for (const Option& option : table())
    if (option.signs) text += fmt::format("{}={} ", option.name, option.get(options));
  const EdgeRules& rules = options.network.rules;
  std::string kinds;
  for (const ChannelKind kind : options.network.kinds)
    kinds += fmt::format("{},", static_cast<int>(kind));
  return fmt::format("{}kinds={} pattern={} required={} forbidden={}", text, kinds,
                     text_of(rules.pattern), text_of(rules.required), text_of(rules.forbidden));
}

}  // namespace lgn
