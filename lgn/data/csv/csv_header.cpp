#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "lgn/core/setting.h"
#include "lgn/data/csv/csv_internal.h"
#include "lgn/data/csv/csv_number_internal.h"

namespace lgn::csv_internal {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

void refuse_binary(const Line& line) {
  const std::string_view text(line.begin, line.end);
  const std::size_t bad = first_unprintable(text);
  if (bad == text.size()) return;
  const char* at = line.begin + bad;
  if (*at == '\r')
    line.fail(at, "a carriage return inside the header", "end lines with LF or CRLF");
  line.fail(
      at,
      fmt::format("the header is not UTF-8 text (byte 0x{:02x})", static_cast<unsigned char>(*at)),
      "export the data as CSV text, encoded in UTF-8");
}

/// The most frequent of tab, ; and , outside quotes. A tie goes to the one that names hold least
/// often.
char find_separator(const Line& line, bool decimal_comma) {
  constexpr std::array<char, 3> kCandidates = {'\t', ';', ','};
  std::array<std::size_t, 3> counts = {};
  bool quoted = false;
  for (const char* at = line.begin; at != line.end; ++at) {
    if (*at == '"') quoted = !quoted;
    if (quoted) continue;
    for (std::size_t k = 0; k < kCandidates.size(); ++k) counts[k] += *at == kCandidates[k];
  }
  if (decimal_comma && counts[0] == 0 && counts[1] == 0 && counts[2] > 0)
    line.fail(nullptr, "a comma separates the columns, so it cannot be the decimal point",
              "separate cells by ; or tab, or leave out " + setting("decimal_comma"));
  if (decimal_comma) counts[2] = 0;
  const auto most = std::max_element(counts.begin(), counts.end());
  return *most == 0 ? ',' : kCandidates[static_cast<std::size_t>(most - counts.begin())];
}

/// u, or u followed by digits.
bool is_input_name(std::string_view name) {
  return name.starts_with('u') && std::all_of(name.begin() + 1, name.end(), is_digit);
}

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return text;
}

/// The header of one file while the roles of its columns are found.
class Header {
 public:
  Header(const Line& line, const CsvOptions& options) : line_(line), options_(options) {
    refuse_binary(line);
    separator_ = find_separator(line, options.decimal_comma);
    split();
    check_names();
    find_time();
    find_label();
    take_listed(options.channels, options.channels_from, Role::channel, channels_);
    if (options.times_only) return;
    find_inputs();
    find_channels();
  }

  Columns columns(Layout& layout);

 private:
  enum class Role : unsigned char { unused, time, label, input, channel };

  void split();
  void check_names();
  void find_time();
  void find_label();
  void find_inputs();
  void find_channels();
  void take_listed(const std::vector<std::string>& listed, const std::string& option, Role role,
                   std::vector<std::size_t>& into);
  void assign(const std::vector<std::size_t>& found, const std::vector<std::string>& agreed,
              const char* kind, const Layout& layout, Index offset, Columns& columns) const;
  std::size_t find(const std::string& name) const;
  std::vector<std::string> names_of(const std::vector<std::size_t>& found) const;
  std::string available() const;

  const Line& line_;
  const CsvOptions& options_;
  char separator_ = ',';
  std::vector<std::string> names_;
  std::vector<const char*> starts_;
  std::unordered_map<std::string_view, std::size_t> places_;
  std::vector<Role> roles_;
  std::size_t time_ = kNone;
  std::vector<std::size_t> inputs_, channels_;
};

void Header::split() {
  std::string unquoted;
  for (const char* at = line_.begin;; ++at) {
    const Cell cell = take_cell(line_, at, separator_, unquoted);
    names_.emplace_back(cell.text);
    starts_.push_back(at);
    at = cell.next;
    if (at == line_.end) break;
  }
  roles_.assign(names_.size(), Role::unused);
}

void Header::check_names() {
  if (names_.size() == 1 && !options_.times_only)
    line_.fail(starts_[0],
               fmt::format("the header has one column, {}: there is no channel beside the time",
                           quote(names_[0])),
               "the first row names the columns, separated by , ; or tab");
  const auto is_number = [&](const std::string& name) {
    double value = 0.0;
    return !name.empty() &&
           parse_number(name, options_.decimal_comma ? ',' : '.', value) == NumberKind::present;
  };
  if (std::all_of(names_.begin(), names_.end(), is_number))
    line_.fail(starts_[0], "the first row holds numbers, not the names of the columns",
               "add a header row such as t,x1,x2");
  places_.reserve(names_.size());
  for (std::size_t c = 0; c < names_.size(); ++c) {
    if (names_[c].empty())
      line_.fail(starts_[c], fmt::format("column {} of {} has no name", c + 1, names_.size()),
                 c + 1 == names_.size() ? "name it, or remove the separator that ends every row"
                                        : "name every column in the header");
    const auto [place, is_new] = places_.emplace(names_[c], c);
    if (!is_new)
      line_.fail(starts_[c],
                 fmt::format("columns {} and {} are both named {}", place->second + 1, c + 1,
                             quote(names_[c])),
                 "rename one of them");
  }
}

std::size_t Header::find(const std::string& name) const {
  const auto place = places_.find(name);
  return place == places_.end() ? kNone : place->second;
}

std::string Header::available() const {
  constexpr std::size_t kListed = 8;
  std::string text = "the columns are ";
  for (std::size_t c = 0; c < std::min(kListed, names_.size()); ++c)
    text += (c > 0 ? ", " : "") + quote(names_[c]);
  if (names_.size() > kListed) text += fmt::format(" and {} more", names_.size() - kListed);
  return text;
}

void Header::find_time() {
  if (!options_.time.empty()) {
    time_ = find(options_.time);
    if (time_ == kNone)
      line_.fail(nullptr, fmt::format("no column {} for the time", quote(options_.time)),
                 available());
  }
  for (const char* usual : {"t", "time"})
    if (time_ == kNone) time_ = find(usual);
  if (time_ == kNone) {
    for (std::size_t c = 0; c < names_.size(); ++c) {
      const std::string name = lower_case(names_[c]);
      if (name != "t" && name != "time") continue;
      if (time_ != kNone)
        line_.fail(starts_[c],
                   fmt::format("columns {} and {} could both be the time", quote(names_[time_]),
                               quote(names_[c])),
                   "name the time column with " + setting("time"));
      time_ = c;
    }
  }
  if (time_ == kNone)
    line_.fail(nullptr, "no column t or time",
               "name the time column with " + setting("time") + "; " + available());
  roles_[time_] = Role::time;
}

void Header::find_label() {
  const std::size_t label = find("trajectory");
  if (label != kNone && label != time_) roles_[label] = Role::label;
}

void Header::take_listed(const std::vector<std::string>& listed, const std::string& option,
                         Role role, std::vector<std::size_t>& into) {
  for (const auto& name : listed) {
    const std::size_t c = find(name);
    if (c == kNone)
      line_.fail(nullptr, fmt::format("no column {}, which {} names", quote(name), option),
                 available());
    const std::string taken = roles_[c] == Role::time     ? "the time"
                              : roles_[c] == Role::label  ? "the label of the run"
                              : roles_[c] == role         ? "named there twice"
                              : roles_[c] != Role::unused ? "one of " + setting("channels")
                                                          : std::string();
    if (!taken.empty())
      line_.fail(starts_[c],
                 fmt::format("{} names column {}, which is {}", option, quote(name), taken),
                 "name each column once");
    roles_[c] = role;
    into.push_back(c);
  }
}

void Header::find_inputs() {
  if (options_.inputs == std::vector<std::string>{"none"}) return;
  if (!options_.inputs.empty()) {
    take_listed(options_.inputs, setting("inputs"), Role::input, inputs_);
    return;
  }
  for (std::size_t c = 0; c < names_.size(); ++c) {
    if (roles_[c] != Role::unused || !is_input_name(names_[c])) continue;
    roles_[c] = Role::input;
    inputs_.push_back(c);
  }
}

void Header::find_channels() {
  if (options_.channels.empty())
    for (std::size_t c = 0; c < names_.size(); ++c)
      if (roles_[c] == Role::unused) channels_.push_back(c);
  if (channels_.empty())
    line_.fail(nullptr, "there is no channel beside the time, the labels and the inputs",
               inputs_.empty()
                   ? "the file needs a column of measurements"
                   : setting("inputs", "none") + " makes columns named u, u1, … channels");
}

std::vector<std::string> Header::names_of(const std::vector<std::size_t>& found) const {
  std::vector<std::string> names;
  names.reserve(found.size());
  for (const std::size_t c : found) names.push_back(names_[c]);
  return names;
}

/// Gives each column found the place of its name in `agreed`; both hold the same names, or it
/// throws.
void Header::assign(const std::vector<std::size_t>& found, const std::vector<std::string>& agreed,
                    const char* kind, const Layout& layout, Index offset, Columns& columns) const {
  const std::string help =
      "files of one system have the same columns; select with " + setting("channels");
  std::unordered_map<std::string_view, Index> slots;
  slots.reserve(agreed.size());
  for (const auto& name : agreed) slots.emplace(name, offset + static_cast<Index>(slots.size()));
  for (const std::size_t c : found) {
    const auto slot = slots.find(names_[c]);
    if (slot == slots.end())
      line_.fail(starts_[c],
                 fmt::format("{} {} is not in {}", kind, quote(names_[c]), layout.first_file),
                 help);
    columns.slots[c] = slot->second;
    slots.erase(slot);
  }
  if (slots.empty()) return;
  const auto first = std::min_element(
      slots.begin(), slots.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  line_.fail(nullptr,
             fmt::format("no {} {}, which {} has", kind, quote(first->first), layout.first_file),
             help);
}

Columns Header::columns(Layout& layout) {
  const bool is_first = layout.channels.empty();
  if (is_first) layout = {names_of(channels_), names_of(inputs_), *line_.file};
  Columns columns;
  columns.separator = separator_;
  columns.time = time_;
  columns.slots.assign(names_.size(), Columns::kIgnored);
  columns.slots[time_] = 0;
  for (std::size_t c = 0; c < roles_.size(); ++c)
    if (roles_[c] == Role::label) columns.slots[c] = Columns::kLabel;
  if (is_first) {
    Index slot = 1;
    for (const auto* found : {&channels_, &inputs_})
      for (const std::size_t c : *found) columns.slots[c] = slot++;
  } else {
    const Index after_channels = 1 + static_cast<Index>(layout.channels.size());
    assign(channels_, layout.channels, "channel", layout, 1, columns);
    assign(inputs_, layout.inputs, "input", layout, after_channels, columns);
  }
  columns.names = std::move(names_);
  return columns;
}

}  // namespace

Columns read_header(const Line& line, const CsvOptions& options, Layout& layout) {
  return Header(line, options).columns(layout);
}

}  // namespace lgn::csv_internal
