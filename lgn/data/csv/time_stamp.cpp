#include "lgn/data/csv/time_stamp_internal.h"

#include <array>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/csv/csv_internal.h"
#include "lgn/data/csv/csv_number_internal.h"
#include "lgn/data/time_units_internal.h"

namespace lgn::csv_internal {
namespace {

/// Text that is taken from its front.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(without_blanks(text)) {}

  bool at_end() const { return rest_.empty(); }
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool take(char c) {
    if (peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') rest_.remove_prefix(1);
  }
  /// One to `most` digits; nothing where there are none, or more.
  std::optional<int> number(int most, int& digits) {
    int value = 0;
    digits = 0;
    for (; is_digit(peek()); ++digits) {
      if (digits == most) return std::nullopt;
      value = 10 * value + (peek() - '0');
      rest_.remove_prefix(1);
    }
    if (digits == 0) return std::nullopt;
    return value;
  }
  /// Letters, in lower case.
  std::string word() {
    std::size_t size = 0;
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    while (size < rest_.size() && is_letter(rest_[size])) ++size;
    std::string text = lower_case(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }

 private:
  std::string_view rest_;
};

/// Days since 1970 of a date of the Gregorian calendar (Hinnant, "chrono-compatible low-level date
/// algorithms").
std::int64_t days_of(int year, int month, int day) {
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t of_era = y - 400 * era;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

int month_named(const std::string& word) {
  static constexpr std::array<std::string_view, 12> months = {
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};
  for (std::size_t k = 0; k < months.size(); ++k)
    if (word.size() >= 3 && word.starts_with(months[k])) return static_cast<int>(k) + 1;
  return 0;
}

struct Date {
  int year = 0, month = 0, day = 0;
};

/// Three numbers in the order that they allow, or that was asked for.
bool arrange(const std::array<int, 3>& parts, const std::array<int, 3>& digits, char mark,
             DateOrder order, Date& date, TimeStamp& stamp) {
  if (digits[0] == 4 || (order == DateOrder::ymd && digits[0] <= 2 && digits[2] <= 2)) {
    date = {parts[0], parts[1], parts[2]};
    stamp.evident = DateOrder::ymd;
  } else {
    const bool is_day_first = parts[0] > 12, is_month_first = parts[1] > 12;
    if (is_day_first && is_month_first) return false;
    if (is_day_first || mark == '.') stamp.evident = DateOrder::dmy;
    if (is_month_first) stamp.evident = DateOrder::mdy;
    stamp.needs_order = stamp.evident == DateOrder::unknown && parts[0] != parts[1];
    const bool day_first = stamp.evident == DateOrder::dmy ||
                           (stamp.evident == DateOrder::unknown && order == DateOrder::dmy);
    date = {parts[2], day_first ? parts[1] : parts[0], day_first ? parts[0] : parts[1]};
  }
  const int of_year = stamp.evident == DateOrder::ymd ? digits[0] : digits[2];
  if (of_year != 2 && of_year != 4) return false;
  if (of_year == 2) date.year += date.year < 70 ? 2000 : 1900;
  return true;
}

/// A date, after its first number.
bool take_date(Scanner& scan, int first, int first_digits, DateOrder order, TimeStamp& stamp) {
  const char mark = scan.peek();
  if (mark != '-' && mark != '/' && mark != '.') return false;
  scan.take(mark);
  std::array<int, 3> parts = {first, 0, 0}, digits = {first_digits, 0, 0};
  Date date;
  if (!is_digit(scan.peek())) {
    date.month = month_named(scan.word());
    if (date.month == 0 || !scan.take(mark)) return false;
    const auto year = scan.number(4, digits[2]);
    if (!year || digits[2] != 4) return false;
    date.year = *year;
    date.day = first;
  } else {
    for (std::size_t k = 1; k < 3; ++k) {
      const auto part = scan.number(4, digits[k]);
      if (!part || (k == 1 && (digits[1] > 2 || !scan.take(mark)))) return false;
      parts[k] = *part;
    }
    if (!arrange(parts, digits, mark, order, date, stamp)) return false;
  }
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > 31) return false;
  stamp.seconds = 86400 * days_of(date.year, date.month, date.day);
  return stamp.has_date = true;
}

/// The rest of a clock time, after its first number and a colon.
bool take_clock(Scanner& scan, int first, TimeStamp& stamp) {
  int digits = 0;
  std::array<int, 3> parts = {first, 0, 0};
  std::size_t count = 1;
  do {
    const auto part = scan.number(2, digits);
    if (!part || *part > 60 || digits != 2) return false;
    parts[count++] = *part;
  } while (count < 3 && scan.take(':'));
  const bool has_fraction = scan.peek() == '.' || scan.peek() == ',';
  if (has_fraction) {
    scan.take(scan.peek());
    double place = 1, value = 0;
    for (; is_digit(scan.peek()); ++stamp.decimals) {
      if (place < 1e15) {
        value = 10 * value + (scan.peek() - '0');
        place *= 10;
      }
      scan.take(scan.peek());
    }
    if (stamp.decimals == 0) return false;
    stamp.fraction = value / place;
  }
  if (count == 2 && has_fraction) parts = {0, parts[0], parts[1]};
  if (stamp.has_date && parts[0] > 24) return false;
  stamp.seconds += std::int64_t{3600} * parts[0] + 60 * parts[1] + parts[2];
  return stamp.has_clock = true;
}

/// AM, PM and a zone; what else follows makes it no time.
bool take_end(Scanner& scan, int hour, TimeStamp& stamp) {
  scan.skip_blanks();
  if (scan.at_end()) return true;
  if (scan.peek() == '+' || scan.peek() == '-') {
    const std::int64_t sign = scan.take('+') ? 1 : (scan.take('-'), -1);
    int digits = 0;
    auto hours = scan.number(4, digits);
    if (!hours) return false;
    int minutes = 0;
    if (digits == 4) {
      minutes = *hours % 100;
      hours = *hours / 100;
    } else if (scan.take(':')) {
      const auto part = scan.number(2, digits);
      if (!part) return false;
      minutes = *part;
    }
    stamp.seconds -= sign * (3600 * std::int64_t{*hours} + 60 * minutes);
    return scan.at_end();
  }
  const std::string word = scan.word();
  if (!scan.at_end()) return false;
  if (word == "am" || word == "pm") {
    if (hour < 1 || hour > 12) return false;
    if (word == "pm" && hour < 12) stamp.seconds += 43200;
    if (word == "am" && hour == 12) stamp.seconds -= 43200;
    return true;
  }
  return word == "z" || word == "utc" || word == "gmt";
}

}  // namespace

std::optional<TimeStamp> parse_time_stamp(std::string_view text, DateOrder order) {
  // Most cells are numbers, or words: they end here.
  if (text.size() < 4 || text.size() > 64) return std::nullopt;
  Scanner scan(text);
  TimeStamp stamp;
  int digits = 0;
  auto first = scan.number(4, digits);
  if (!first) return std::nullopt;
  if (scan.peek() != ':') {
    if (!take_date(scan, *first, digits, order, stamp)) return std::nullopt;
    if (scan.at_end()) return stamp;
    if (!scan.take('T') && !scan.take('t') && scan.peek() != ' ' && scan.peek() != '\t')
      return std::nullopt;
    scan.skip_blanks();
    first = scan.number(2, digits);
    if (!first) return std::nullopt;
  }
  if (!scan.take(':') || !take_clock(scan, *first, stamp) || !take_end(scan, *first, stamp))
    return std::nullopt;
  return stamp;
}

DateOrder parse_date_order(const std::string& word) {
  if (word.empty()) return DateOrder::unknown;
  if (word == "dmy") return DateOrder::dmy;
  if (word == "mdy") return DateOrder::mdy;
  if (word == "ymd") return DateOrder::ymd;
  throw Error("no order of dates is " + quote(word),
              "it is " + setting("date_order", "dmy") + ", mdy or ymd");
}

}  // namespace lgn::csv_internal
