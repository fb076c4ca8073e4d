#include "experiments/neural/json_entry.h"

#include <algorithm>
#include <cmath>

namespace lgn::neural {

using nlohmann::json;

void JsonEntry::reject(const std::string& why) const {
  throw BadTask((path_.empty() ? "the task" : path_) + " " + why);
}

std::string JsonEntry::shown() const {
  constexpr std::size_t longest = 40;
  if (value_->is_structured()) return value_->is_array() ? "a list" : "an object";
  const std::string text = value_->dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() <= longest ? text : text.substr(0, longest) + "…";
}

void JsonEntry::only(std::initializer_list<const char*> names) const {
  if (!value_->is_object()) reject("is " + shown() + ", not an object");
  for (const auto& [name, member] : value_->items())
    if (std::ranges::find(names, name) == names.end())
      reject("has an unknown field " +
             json(name).dump(-1, ' ', true, json::error_handler_t::replace));
}

std::optional<JsonEntry> JsonEntry::find(const std::string& name) const {
  if (!value_->is_object()) reject("is " + shown() + ", not an object");
  const auto member = value_->find(name);
  if (member == value_->end()) return std::nullopt;
  return JsonEntry(*member, path_.empty() ? name : path_ + "." + name);
}

JsonEntry JsonEntry::at(const std::string& name) const {
  const auto member = find(name);
  if (!member) reject("has no field \"" + name + "\"");
  return *member;
}

std::vector<JsonEntry> JsonEntry::list() const {
  if (!value_->is_array()) reject("is " + shown() + ", not a list");
  if (value_->empty()) reject("is an empty list");
  std::vector<JsonEntry> elements;
  for (const json& element : *value_)
    elements.emplace_back(element, path_ + "[" + std::to_string(elements.size()) + "]");
  return elements;
}

double JsonEntry::positive(double most) const {
  if (!value_->is_number()) reject("is " + shown() + ", not a number");
  const double number = value_->get<double>();
  if (!(number > 0 && number <= most)) reject("is " + shown() + ", out of range");
  return number;
}

std::int64_t JsonEntry::integer(std::int64_t least, std::int64_t most) const {
  if (!value_->is_number_integer()) reject("is " + shown() + ", not an integer");
  const bool fits = !value_->is_number_unsigned() ||
                    value_->get<std::uint64_t>() <=
                        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!fits || value_->get<std::int64_t>() < least || value_->get<std::int64_t>() > most)
    reject("is " + shown() + ", not between " + std::to_string(least) + " and " +
           std::to_string(most));
  return value_->get<std::int64_t>();
}

std::vector<double> JsonEntry::numbers() const {
  if (!value_->is_array()) reject("is " + shown() + ", not a list of numbers");
  std::vector<double> all;
  for (const json& element : *value_) {
    const double number = element.is_number() ? element.get<double>() : std::nan("");
    if (!std::isfinite(number))
      reject("holds " + JsonEntry(element).shown() + " at " + std::to_string(all.size()) +
             ", not a number");
    all.push_back(number);
  }
  return all;
}

std::vector<double> JsonEntry::ascending(std::size_t least) const {
  std::vector<double> all = numbers();
  if (all.size() < least)
    reject("has " + std::to_string(all.size()) + " entries, and needs " + std::to_string(least));
  for (std::size_t k = 1; k < all.size(); ++k)
    if (!(all[k] > all[k - 1])) reject("does not ascend at " + std::to_string(k));
  return all;
}

std::vector<std::vector<double>> JsonEntry::rows(std::size_t columns) const {
  std::vector<std::vector<double>> all;
  for (const JsonEntry& row : list()) {
    all.push_back(row.numbers());
    if (all.back().size() != columns)
      row.reject("has " + std::to_string(all.back().size()) + " entries where " +
                 std::to_string(columns) + " belong");
  }
  return all;
}

}  // namespace lgn::neural
