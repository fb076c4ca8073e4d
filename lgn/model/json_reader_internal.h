#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/core/linear_algebra.h"

namespace lgn {

using Json = nlohmann::ordered_json;

/// Looks fields of a model file up and says which one is at fault.
class JsonReader {
 public:
  JsonReader(const Json& json, std::string file, std::string path = {})
      : json_(json), file_(std::move(file)), path_(std::move(path)) {}

  /// Throws Error with the file and the problem.
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(problem, "write the model again with lgn fit", {file_, 0, 0});
  }
  /// The same for one field: "field "variation.link" is neither clip nor softplus".
  [[noreturn]] void fail(const char* name, const std::string& problem) const {
    fail(fmt::format("field \"{}{}\" {}", path_, name, problem));
  }
  const Json& raw(const char* name) const {
    const auto found = json_.find(name);
    if (found == json_.end()) fail(fmt::format("the model has no field \"{}{}\"", path_, name));
    return *found;
  }
  template <class T>
  T get(const char* name, const char* kind) const {
    try {
      return raw(name).get<T>();
    } catch (const Json::exception&) {
      fail(fmt::format("field \"{}{}\" is not {}", path_, name, kind));
    }
  }
  /// The field, or null where the file has none.
  const Json& optional(const char* name) const {
    static const Json none;
    return json_.contains(name) ? json_.at(name) : none;
  }
  Index whole(const char* name) const {
    const Json& value = raw(name);
    const bool fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() ||
                       value.get<std::uint64_t>() <= std::numeric_limits<int>::max());
    if (!fits || value.get<Index>() < 0)
      fail(fmt::format("field \"{}{}\" is not a whole number of at least 0", path_, name));
    return value.get<Index>();
  }
  std::string text(const char* name) const { return get<std::string>(name, "a text"); }
  double real(const char* name) const {
    if (raw(name).is_null()) return std::nan("");
    if (!raw(name).is_number()) fail(fmt::format("field \"{}{}\" is not a number", path_, name));
    return raw(name).get<double>();
  }
  JsonReader object(const char* name) const {
    if (!raw(name).is_object()) fail(fmt::format("field \"{}{}\" is not an object", path_, name));
    return JsonReader(raw(name), file_, path_ + name + ".");
  }
  /// The entries of a list of objects.
  std::vector<JsonReader> objects(const char* name) const {
    if (!raw(name).is_array()) fail(fmt::format("field \"{}{}\" is not a list", path_, name));
    std::vector<JsonReader> entries;
    for (const Json& entry : raw(name)) {
      if (!entry.is_object())
        fail(fmt::format("an entry of \"{}{}\" is not an object", path_, name));
      entries.emplace_back(entry, file_, path_ + name + ".");
    }
    return entries;
  }
  /// A list of `size` numbers (any number when negative); NaN for null.
  Vector numbers(const char* name, Index size) const {
    const Json& list = raw(name);
    const auto wrong = [&] {
      fail(name, size < 0 ? std::string("is not a list of numbers")
                          : fmt::format("is not a list of {} numbers", size));
    };
    if (!list.is_array() || (size >= 0 && static_cast<Index>(list.size()) != size)) wrong();
    Vector v(static_cast<Index>(list.size()));
    for (Index k = 0; k < v.size(); ++k) {
      const Json& entry = list[static_cast<std::size_t>(k)];
      if (!entry.is_number() && !entry.is_null()) wrong();
      v[k] = entry.is_null() ? std::nan("") : entry.get<double>();
    }
    return v;
  }
  /// The same without null.
  Vector finite_numbers(const char* name, Index size) const {
    const Vector v = numbers(name, size);
    if (!v.allFinite()) fail(name, "has a number missing");
    return v;
  }
  /// A list, of the field `name` or inside of it, of `size` pairs [re, im] (any number when negative); NaN for null.
  ComplexVector complex_numbers(const char* name, const Json& list, Index size) const {
    const auto wrong = [&] {
      fail(name, size < 0 ? std::string("is not a list of [re, im]")
                          : fmt::format("is not a list of {} pairs [re, im]", size));
    };
    const auto part = [&](const Json& number) {
      if (!number.is_number() && !number.is_null()) wrong();
      return number.is_null() ? std::nan("") : number.get<double>();
    };
    if (!list.is_array() || (size >= 0 && static_cast<Index>(list.size()) != size)) wrong();
    ComplexVector v(static_cast<Index>(list.size()));
    for (Index k = 0; k < v.size(); ++k) {
      const Json& pair = list[static_cast<std::size_t>(k)];
      if (!pair.is_array() || pair.size() != 2) wrong();
      v[k] = {part(pair[0]), part(pair[1])};
    }
    return v;
  }
  /// A list of `rows` rows (any number when negative) of `columns` finite numbers each.
  Matrix rows(const char* name, Index rows, Index columns) const {
    const Json& list = raw(name);
    const auto wrong = [&] {
      fail(fmt::format("field \"{}{}\" is not {} of {} numbers each", path_, name,
                       rows < 0 ? std::string("a list of rows") : fmt::format("{} rows", rows),
                       columns));
    };
    if (!list.is_array() || (rows >= 0 && static_cast<Index>(list.size()) != rows)) wrong();
    Matrix m(static_cast<Index>(list.size()), columns);
    for (Index i = 0; i < m.rows(); ++i) {
      const Json& row = list[static_cast<std::size_t>(i)];
      if (!row.is_array() || static_cast<Index>(row.size()) != columns) wrong();
      for (Index j = 0; j < columns; ++j) {
        const Json& cell = row[static_cast<std::size_t>(j)];
        if (!cell.is_number()) wrong();
        m(i, j) = cell.get<double>();
      }
    }
    if (!m.allFinite())
      fail(fmt::format("field \"{}{}\" has a number that is too large", path_, name));
    return m;
  }

 private:
  const Json& json_;
  std::string file_, path_;
};

}  // namespace lgn
