#include "lgn/data/edges.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn {
namespace {

using csv_internal::Line;
using csv_internal::quote;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

/// How many letters to insert, remove or replace to turn one into the other, whatever their case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) != lower(b[j]));
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

bool is_separator(char c) { return c == ',' || c == ';' || c == '\t' || c == ' '; }

/// The channels by name, and what to say about a name that is none.
class Channels {
 public:
  explicit Channels(const std::vector<std::string>& names) : names_(names) {
    for (const auto& name : names) indices_.emplace(name, static_cast<Index>(indices_.size()));
  }

  std::optional<Index> find(std::string_view name) const {
    const auto found = indices_.find(name);
    return found == indices_.end() ? std::nullopt : std::optional(found->second);
  }

  /// Whether a channel is at most one letter away.
  bool is_near(std::string_view name) const { return !nearest(name, 1).empty(); }

  /// The nearest names where some are near, else the first few.
  std::string suggestion(std::string_view name) const {
    constexpr std::size_t most_near = 5, most_listed = 8;
    auto names = nearest(name, name.size() / 3 + 1);
    if (!names.empty()) {
      names.resize(std::min(names.size(), most_near));
      return fmt::format("did you mean {}?", fmt::join(names, " or "));
    }
    for (const auto& other : names_)
      if (names.size() < most_listed) names.push_back(quote(other));
    return fmt::format("the channels are {}{}", fmt::join(names, ", "),
                       names_.size() > names.size()
                           ? fmt::format(" and {} more", names_.size() - names.size())
                           : "");
  }

  bool hold_separators() const {
    return std::any_of(names_.begin(), names_.end(), [](const auto& name) {
      return std::any_of(name.begin(), name.end(), is_separator);
    });
  }

 private:
  /// All names at the least distance, in quotes, unless that is more than `most`.
  std::vector<std::string> nearest(std::string_view name, std::size_t most) const {
    std::vector<std::string> found;
    for (const auto& other : names_) {
      if (std::max(name.size(), other.size()) > std::min(name.size(), other.size()) + most)
        continue;
      const std::size_t distance = edit_distance(name, other);
      if (distance > most) continue;
      if (distance < most) found.clear();
      most = distance;
      found.push_back(quote(other));
    }
    return found;
  }

  const std::vector<std::string>& names_;
  std::unordered_map<std::string_view, Index> indices_;
};

struct Word {
  std::string text;
  const char* at;  ///< where in the line it starts
};

/// The first of comma, semicolon, tab and blank that the text holds outside quotes.
char find_separator(const char* begin, const char* end) {
  for (const char candidate : {',', ';', '\t'}) {
    bool quoted = false;
    for (const char* at = begin; at != end; ++at) {
      if (*at == '"') quoted = !quoted;
      if (*at == candidate && !quoted) return candidate;
    }
  }
  return ' ';
}

/// Where the word at `at` ends when blanks separate words.
const char* end_of_word(const char* at, const char* end) {
  bool quoted = false;
  for (; at != end && (quoted || *at != ' '); ++at)
    if (*at == '"') quoted = !quoted;
  return at;
}

std::vector<Word> split(Line line) {
  const char* at = line.begin;
  while (*at == ' ' || *at == '\t') ++at;  // no line is blank
  while (line.end[-1] == ' ' || line.end[-1] == '\t') --line.end;
  const char separator = find_separator(at, line.end);
  std::vector<Word> words;
  std::string unquoted;
  for (;; ++at) {
    while (at != line.end && *at == ' ') ++at;
    Line part = line;
    if (separator == ' ') part.end = end_of_word(at, line.end);
    const auto cell = csv_internal::take_cell(part, at, separator, unquoted);
    words.push_back({std::string(cell.text), at});
    at = cell.next;
    if (at == line.end) return words;
  }
}

enum class Rule { edge, require, forbid };
constexpr const char* kRules[] = {"edge", "require", "forbid"};

std::optional<Rule> find_rule(std::string_view word) {
  for (const Rule rule : {Rule::edge, Rule::require, Rule::forbid})
    if (word == kRules[static_cast<int>(rule)]) return rule;
  return std::nullopt;
}

Rule parse_rule(const Line& line, const std::vector<Word>& words) {
  if (words.size() < 3 || words[2].text.empty()) return Rule::edge;
  if (const auto rule = find_rule(words[2].text)) return *rule;
  line.fail(words[2].at, fmt::format("unknown rule {}", quote(words[2].text)),
            "rules are edge (the default), require and forbid");
}

Index find_channel(const Line& line, const Word& word, const Channels& channels) {
  if (word.text.empty())
    line.fail(word.at, "a channel's name is missing", "write it, such as v1,i1");
  if (const auto index = channels.find(word.text)) return *index;
  std::string help = channels.suggestion(word.text);
  if (channels.hold_separators()) help += "; names that hold a separator stand in double quotes";
  line.fail(word.at, fmt::format("no channel {}", quote(word.text)), help);
}

void check_count(const Line& line, const std::vector<Word>& words) {
  const char* const help = "a line names two channels and perhaps a rule, such as v1,i1,require";
  if (words.size() < 2) line.fail(words.front().at, "one word where two channels belong", help);
  if (words.size() > 3) line.fail(words[3].at, "more than two channels and a rule", help);
}

/// Words of which none is a channel or a rule, nor two are misspelt channels.
bool is_header(const std::vector<Word>& words, const Channels& channels) {
  return std::none_of(
             words.begin(), words.end(),
             [&](const Word& word) { return channels.find(word.text) || find_rule(word.text); }) &&
         !(channels.is_near(words[0].text) && channels.is_near(words[1].text));
}

ChannelPair ordered(Index a, Index b) { return {std::min(a, b), std::max(a, b)}; }

/// What the file has said about a pair, and where.
struct Said {
  Rule rule;
  Location place;
};

}  // namespace

EdgeRules read_edges(const std::string& path, const std::vector<std::string>& channels) {
  const Channels known(channels);
  csv_internal::LineReader reader(path, csv_internal::kBlockBytes);
  EdgeRules rules;
  std::map<ChannelPair, Said> said;
  Line line;
  for (bool first = true; reader.next(line); first = false) {
    const auto words = split(line);
    check_count(line, words);
    if (first && is_header(words, known)) continue;
    const Index from = find_channel(line, words[0], known);
    const Index to = find_channel(line, words[1], known);
    if (from == to)
      line.fail(words[1].at, fmt::format("{} with itself is no pair", quote(words[0].text)),
                "name two channels");
    const Rule rule = parse_rule(line, words);
    const auto column = static_cast<std::size_t>(words[0].at - line.begin) + 1;
    const auto [before, is_new] =
        said.try_emplace(ordered(from, to), Said{rule, {reader.name(), line.number, column}});
    if (!is_new)
      line.fail(words[0].at,
                fmt::format("the pair {}, {} stands on line {}, as {}", quote(words[0].text),
                            quote(words[1].text), before->second.place.line,
                            kRules[static_cast<int>(before->second.rule)]),
                "name each pair once");
    auto& list = rule == Rule::edge      ? rules.pattern
                 : rule == Rule::require ? rules.required
                                         : rules.forbidden;
    list.push_back(before->first);
  }
  if (said.empty())
    throw Error("no pair of channels", "write two channels per line, such as v1,i1",
                Location{reader.name(), reader.lines(), 0});
  if (!rules.pattern.empty() && !rules.required.empty())
    throw Error("a pair is required beside edges, which are the whole topology",
                "make it an edge, or leave out the edges", said.at(rules.required.front()).place);
  return rules;
}

ChannelPair parse_pair(const std::string& text, const std::vector<std::string>& channels,
                       const std::string& option) {
  const Channels known(channels);
  std::optional<ChannelPair> pair;
  // Names may hold colons: every one could be the one between them.
  for (auto at = text.find(':'); at != text.npos; at = text.find(':', at + 1)) {
    const auto from = known.find(std::string_view(text).substr(0, at));
    const auto to = known.find(std::string_view(text).substr(at + 1));
    if (!from || !to) continue;
    if (pair)
      throw Error(fmt::format("{} {} could be two pairs", option, quote(text)),
                  "write the pair into a file and give it to " + setting("edges"));
    if (*from == *to)
      throw Error(fmt::format("{} {}: a channel with itself is no pair", option, quote(text)),
                  "name two channels");
    pair = ordered(*from, *to);
  }
  if (pair) return *pair;
  const auto colon = text.find(':');
  if (colon == text.npos)
    throw Error(fmt::format("{} does not understand {}", option, quote(text)),
                "write two channels as NAME:NAME");
  const std::string from = text.substr(0, colon), to = text.substr(colon + 1);
  const std::string& wrong = known.find(from) ? to : from;
  throw Error(fmt::format("{} {}: no channel {}", option, quote(text), quote(wrong)),
              known.suggestion(wrong));
}

}  // namespace lgn
