#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lgn/core/error.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn::csv_internal {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  // 0xC0 and 0xC1 could only begin an over-long form; 0xF5 and above lie beyond Unicode.
  if (lead < 0xC2 || lead > 0xF4 || text.size() - at < length) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xC0U) != 0x80) return 0;
  const unsigned second = byte(1);
  const bool over_long = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool beyond = lead == 0xF4 && second >= 0x90;
  return over_long || surrogate || beyond ? 0 : length;
}

std::size_t first_unprintable(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0 || (is_control(text[at]) && text[at] != '\t')) break;
    at += length;
  }
  return at;
}

std::string quote(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown = "\"";
  std::size_t at = 0;
  while (at < text.size() && at < kShown) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0 || is_control(text[at]))
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
    else
      shown += text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  if (at < text.size()) shown += "…";
  return shown + "\"";
}

std::vector<std::string> made_unique(std::vector<std::string> names) {
  // Names that are unique as they are keep their spelling, wherever they stand.
  std::unordered_map<std::string, std::size_t> seen;
  std::unordered_set<std::string> taken(names.begin(), names.end());
  for (auto& name : names) {
    const std::string base = name;
    std::size_t& count = seen[base];
    if (++count == 1) continue;
    while (!taken.insert(name = fmt::format("{} ({})", base, count)).second) ++count;
  }
  return names;
}

void Line::fail(const char* at, const std::string& problem, const std::string& help) const {
  const std::size_t column = at == nullptr ? 0 : static_cast<std::size_t>(at - begin) + 1;
  throw Error(problem, help, Location{*file, number, column});
}

Cell take_cell(const Line& line, const char* from, char separator, std::string& unquoted) {
  const auto is_blank = [&](char c) { return c == ' ' || (c == '\t' && separator != '\t'); };
  const char* begin = from;
  while (begin != line.end && is_blank(*begin)) ++begin;

  if (begin == line.end || *begin != '"') {
    const char* next = separator == ' ' ? std::find_if(begin, line.end, is_blank)
                                        : std::find(begin, line.end, separator);
    const char* end = next;
    if (std::all_of(next, line.end, [&](char c) { return separator == ' ' && is_blank(c); }))
      next = line.end;
    while (end != begin && is_blank(end[-1])) --end;
    return {std::string_view(begin, static_cast<std::size_t>(end - begin)), next, false};
  }

  unquoted.clear();
  for (const char* at = begin + 1;;) {
    const char* close = std::find(at, line.end, '"');
    if (close == line.end)
      line.fail(
          from, "a quote is not closed on its line",
          "close it; a cell cannot hold a line break, and a quote in a quoted cell is doubled");
    unquoted.append(at, close);
    at = close + 1;
    if (at != line.end && *at == '"') {
      unquoted += *at++;
      continue;
    }
    const bool blank_follows = at != line.end && is_blank(*at);
    while (at != line.end && is_blank(*at)) ++at;
    if (at != line.end && *at != separator && !(separator == ' ' && blank_follows))
      line.fail(from, fmt::format("text follows the closing quote of the cell {}", quote(unquoted)),
                "a quote inside a quoted cell is written twice");
    if (separator == ' ' && at != line.end) --at;
    return {unquoted, at, true};
  }
}

}  // namespace lgn::csv_internal
