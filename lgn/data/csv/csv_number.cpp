#include "lgn/data/csv/csv_number_internal.h"

#include <algorithm>
#include <limits>
#include <string>

namespace lgn::csv_internal {
namespace {

bool same_word(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b;
  });
}

/// Whether a well-formed number that is not zero and lies out of range is too small, not too large.
bool is_tiny(std::string_view digits) {
  const std::size_t exponent_at = std::min(digits.find_first_of("eE"), digits.size());
  const std::string_view mantissa = digits.substr(0, exponent_at);
  const auto point = static_cast<long long>(std::min(mantissa.find('.'), mantissa.size()));
  const auto first = static_cast<long long>(mantissa.find_first_of("123456789"));
  long long exponent = 0;
  if (exponent_at < digits.size()) {
    std::string_view text = digits.substr(exponent_at + 1);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto result = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (result.ec != std::errc{}) return text.starts_with('-');
  }
  return exponent < first - point;
}

}  // namespace

bool is_missing_word(std::string_view text) {
  const char first = text.empty() ? '\0' : text.front();
  if (first == '-') return text == "-" || text == "--" || text == "---" || text == "-1.#IND";
  if (first == '#') return text == "#N/A" || text == "#NA" || text == "#NV" || text == "#NUM!";
  if (first == '1') return text == "1.#QNAN" || text == "1.#IND";
  return same_word(text, "n/a") || same_word(text, "null") || same_word(text, "none");
}

bool parse_grouped_number(std::string_view text, char point, double& value) {
  const char mark = point == ',' ? '.' : ',';
  const std::size_t begin = text.find_first_not_of("+-");
  if (begin == text.npos || begin > 1) return false;
  const std::size_t end = std::min(
      text.find_first_not_of(mark == ',' ? "0123456789," : "0123456789.", begin), text.size());
  const std::string_view whole = text.substr(begin, end - begin);
  const std::size_t first = whole.find(mark);
  if (first == whole.npos || first == 0 || first > 3 || whole.front() == '0') return false;
  for (std::size_t k = first; k < whole.size(); ++k)
    if ((whole[k] == mark) != ((k - first) % 4 == 0)) return false;
  if ((whole.size() - first) % 4 != 0) return false;
  std::string plain(text.substr(0, begin));
  for (const char c : whole)
    if (c != mark) plain += c;
  plain += text.substr(end);
  return parse_number(plain, point, value) == NumberKind::present;
}

NumberKind parse_number(std::string_view text, char point, double& value) {
  value = std::numeric_limits<double>::quiet_NaN();
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.empty() || text == "NA" || is_missing_word(text)) return NumberKind::missing;
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  if (same_word(text, "nan")) return NumberKind::missing;
  if (same_word(text, "inf") || same_word(text, "infinity")) return NumberKind::infinite;

  std::string with_point;
  if (point != '.') {
    if (text.find('.') != text.npos) return NumberKind::malformed;
    with_point = text;
    std::replace(with_point.begin(), with_point.end(), point, '.');
    text = with_point;
  }
  // from_chars takes a sign, and words; both are behind us, and a second sign is a mistake.
  if (text.empty() || !(is_digit(text.front()) || text.front() == '.'))
    return NumberKind::malformed;
  double magnitude = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, magnitude);
  if (stop != end || error == std::errc::invalid_argument) return NumberKind::malformed;
  if (error == std::errc::result_out_of_range) {
    if (!is_tiny(text)) return NumberKind::out_of_range;
    magnitude = 0.0;
  }
  value = negative ? -magnitude : magnitude;
  return NumberKind::present;
}

}  // namespace lgn::csv_internal
