#include "lgn/data/channel_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "lgn/core/error.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn {
namespace {

using enum ChannelKind;

/// In the order of the enumeration.
constexpr std::array<const char*, 7> kNames = {"plain", "voltage",  "current", "temperature",
                                               "force", "velocity", "position"};

/// What a word says by itself. The letter v waits for what stands beside it.
struct Meaning {
  ChannelKind kind = plain;
  bool letter_v = false;
};

/// Words without regard to case, except that t is a time and T a temperature.
bool same_word(std::string_view text, std::string_view word) {
  if (word == "T") return text == word;
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [&](char a, char b) { return lower(a) == b; });
}

/// The names of the kinds, and the letters of the field.
std::optional<Meaning> meaning_of_word(std::string_view text) {
  for (std::size_t k = 0; k < kNames.size(); ++k)
    if (same_word(text, kNames[k])) return Meaning{static_cast<ChannelKind>(k)};
  if (same_word(text, "v")) return Meaning{voltage, true};
  if (same_word(text, "i")) return Meaning{current};
  if (same_word(text, "T")) return Meaning{temperature};
  if (same_word(text, "f")) return Meaning{force};
  if (same_word(text, "q") || same_word(text, "x")) return Meaning{position};
  return std::nullopt;
}

/// What names of channels begin with, beside the words and letters above.
std::optional<Meaning> meaning_of_stem(std::string_view text) {
  if (same_word(text, "vc")) return Meaning{voltage};
  if (same_word(text, "il")) return Meaning{current};
  if (same_word(text, "temp")) return Meaning{temperature};
  if (same_word(text, "pos")) return Meaning{position};
  for (const char* stem : {"vel", "dq", "dx", "qd", "xd", "qdot", "xdot"})
    if (same_word(text, stem)) return Meaning{velocity};
  const auto meaning = meaning_of_word(text);
  return meaning && meaning->kind == plain ? std::nullopt : meaning;
}

/// Each v is a velocity beside positions or forces.
std::vector<ChannelKind> settled(const std::vector<Meaning>& meanings) {
  const bool mechanical = std::any_of(meanings.begin(), meanings.end(), [](const Meaning& m) {
    return m.kind == position || m.kind == force;
  });
  std::vector<ChannelKind> kinds;
  for (const auto& m : meanings) kinds.push_back(m.letter_v && mechanical ? velocity : m.kind);
  return kinds;
}

bool only(const std::vector<ChannelKind>& kinds, std::initializer_list<ChannelKind> allowed) {
  return std::all_of(kinds.begin(), kinds.end(), [&](ChannelKind kind) {
    return std::find(allowed.begin(), allowed.end(), kind) != allowed.end();
  });
}

/// The suffixes of the channels of one kind, sorted.
std::vector<std::string_view> suffixes_of(ChannelKind kind, const std::vector<ChannelKind>& kinds,
                                          const std::vector<std::string_view>& suffixes) {
  std::vector<std::string_view> found;
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (kinds[k] == kind) found.push_back(suffixes[k]);
  std::sort(found.begin(), found.end());
  return found;
}

/// Whether a network measures these together.
bool make_sense(const std::vector<ChannelKind>& kinds,
                const std::vector<std::string_view>& suffixes) {
  if (only(kinds, {voltage, current}) || only(kinds, {temperature})) return true;
  if (only(kinds, {velocity, force})) return !only(kinds, {velocity}) && !only(kinds, {force});
  return only(kinds, {position, velocity}) &&
         suffixes_of(position, kinds, suffixes) == suffixes_of(velocity, kinds, suffixes);
}

}  // namespace

std::string name_of(ChannelKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::vector<ChannelKind> parse_kinds(const std::vector<std::string>& words, std::size_t channels) {
  if (words.size() != channels)
    throw Error(fmt::format("{} kind{} for {} channel{}", words.size(),
                            words.size() == 1 ? "" : "s", channels, channels == 1 ? "" : "s"),
                "name one kind per channel, in the order of the channels");
  std::vector<Meaning> meanings;
  for (const auto& word : words) {
    const auto meaning = word == "-" ? Meaning{} : meaning_of_word(word);
    if (!meaning)
      throw Error(
          fmt::format("unknown kind of channel {}", csv_internal::quote(word)),
          "kinds are voltage, current, temperature, force, velocity, position (or v, i, T, f, v, q) and plain (or -)");
    meanings.push_back(*meaning);
  }
  return settled(meanings);
}

std::vector<ChannelKind> guess_kinds(const std::vector<std::string>& channels) {
  std::vector<Meaning> meanings;
  std::vector<std::string_view> suffixes;
  for (const std::string_view name : channels) {
    const std::size_t stem = std::min(name.find_first_of("0123456789_(["), name.size());
    const auto meaning = meaning_of_stem(name.substr(0, stem));
    if (!meaning) break;
    meanings.push_back(*meaning);
    suffixes.push_back(name.substr(stem));
  }
  if (meanings.size() == channels.size()) {
    auto kinds = settled(meanings);
    if (make_sense(kinds, suffixes)) return kinds;
  }
  return std::vector<ChannelKind>(channels.size(), plain);
}

}  // namespace lgn
