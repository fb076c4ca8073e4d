#pragma once

#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lgn::neural {

/// A task that cannot be done; says which field is at fault and why.
struct BadTask : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A value of a task and the path to it, such as runs[0].times. What is not as asked for throws BadTask
/// with that path.
class JsonEntry {
 public:
  explicit JsonEntry(const nlohmann::json& value, std::string path = {})
      : value_(&value), path_(std::move(path)) {}

  [[noreturn]] void reject(const std::string& why) const;

  /// Members of an object. `only` rejects an object with other members than these.
  void only(std::initializer_list<const char*> names) const;
  std::optional<JsonEntry> find(const std::string& name) const;
  JsonEntry at(const std::string& name) const;
  /// Elements of a list that has one at least.
  std::vector<JsonEntry> list() const;

  /// A number above 0, at most `most`.
  double positive(double most = std::numeric_limits<double>::max()) const;
  /// From `least` to `most`.
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  std::vector<double> numbers() const;
  /// Numbers, each greater than the one before.
  std::vector<double> ascending(std::size_t least) const;
  /// A matrix as a list of rows, which all have `columns` entries.
  std::vector<std::vector<double>> rows(std::size_t columns) const;

  /// One of the given words.
  template <class T>
  T choice(std::initializer_list<std::pair<const char*, T>> words) const {
    std::string known;
    for (const auto& [word, meaning] : words) {
      if (value_->is_string() && *value_ == word) return meaning;
      known += (known.empty() ? "\"" : ", \"") + std::string(word) + "\"";
    }
    reject("is " + shown() + ", not one of " + known);
  }

 private:
  const nlohmann::json* value_;
  std::string path_;

  /// The value on one line, or its beginning.
  std::string shown() const;
};

}  // namespace lgn::neural
