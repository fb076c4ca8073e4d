#include "lgn/data/arrays/array_bytes_internal.h"

namespace lgn::array_internal {
namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;

bool is_surrogate(std::uint32_t c) { return c >= 0xD800 && c < 0xE000; }

/// Takes one code point from the front; bytes that begin none give U+FFFD, one by one.
std::uint32_t take(std::string_view& text) {
  const auto byte = [&](std::size_t k) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k]));
  };
  const std::uint32_t lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  std::uint32_t code = length < 2 ? lead : lead & (0x7FU >> length);
  bool good = length > 0 && text.size() >= length;
  for (std::size_t k = 1; good && k < length; ++k) {
    good = (byte(k) & 0xC0U) == 0x80;
    code = code << 6 | (byte(k) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  good = good && code >= least[length] && code < 0x110000 && !is_surrogate(code);
  text.remove_prefix(good ? length : 1);
  return good ? code : kReplacement;
}

}  // namespace

void append_utf8(std::string& text, std::uint32_t c) {
  if (c >= 0x110000 || is_surrogate(c)) c = kReplacement;
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto tail = [&](unsigned shift) { add(0x80U | ((c >> shift) & 0x3FU)); };
  if (c < 0x80) {
    add(c);
  } else if (c < 0x800) {
    add(0xC0U | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    add(0xE0U | c >> 12);
    tail(6);
    tail(0);
  } else {
    add(0xF0U | c >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string from_utf16(const std::vector<std::uint16_t>& units) {
  std::string text;
  for (std::size_t k = 0; k < units.size(); ++k) {
    const std::uint32_t high = units[k];
    const bool pair = high >= 0xD800 && high < 0xDC00 && k + 1 < units.size() &&
                      units[k + 1] >= 0xDC00 && units[k + 1] < 0xE000;
    append_utf8(text, pair ? 0x10000 + ((high - 0xD800) << 10) + (units[++k] - 0xDC00U) : high);
  }
  return text;
}

std::vector<std::uint32_t> code_points(std::string_view text) {
  std::vector<std::uint32_t> points;
  while (!text.empty()) points.push_back(take(text));
  return points;
}

std::vector<std::uint16_t> to_utf16(std::string_view text) {
  std::vector<std::uint16_t> units;
  for (const std::uint32_t c : code_points(text)) {
    if (c >= 0x10000) units.push_back(static_cast<std::uint16_t>(0xD800 + ((c - 0x10000) >> 10)));
    units.push_back(
        static_cast<std::uint16_t>(c < 0x10000 ? c : 0xDC00 + ((c - 0x10000) & 0x3FFU)));
  }
  return units;
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  for (const std::uint32_t c : code_points(text)) append_utf8(valid, c);
  return valid;
}

std::string trimmed(std::string text) {
  const std::size_t last = text.find_last_not_of(std::string_view(" \0", 2));
  text.resize(last == text.npos ? 0 : last + 1);
  return text;
}

}  // namespace lgn::array_internal
