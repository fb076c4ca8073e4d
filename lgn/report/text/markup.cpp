#include "lgn/report/text/markup.h"

#include <array>

namespace lgn {
namespace {

constexpr const char* replacement = "\uFFFD";

unsigned byte(const std::string& text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

/// Length of the UTF-8 character that starts at `at`; 0 where none does that XML knows.
std::size_t character_length(const std::string& text, std::size_t at) {
  const unsigned first = byte(text, at);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
  unsigned code = first & (0x7Fu >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(text, at + k) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(text, at + k) & 0x3F);
  }
  const unsigned smallest = length == 4 ? 0x10000u : length == 3 ? 0x800u : 0x80u;
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  const bool known =
      code >= smallest && code <= 0x10FFFF && !surrogate && code != 0xFFFE && code != 0xFFFF;
  return known ? length : 0;
}

}  // namespace

std::string clean_text(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    if (length == 0)
      out += replacement;
    else
      out.append(text, at, length);
    at += length == 0 ? 1 : length;
  }
  return out;
}

std::string escape_markup(const std::string& text) {
  std::string out;
  for (const char c : clean_text(text)) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  return out;
}

const char* palette_colour(int index) {
  static constexpr std::array colours{"#000000", "#0072B2", "#D55E00", "#009E73",
                                      "#CC79A7", "#E69F00", "#56B4E9"};
  return colours[static_cast<std::size_t>(index) % colours.size()];
}

}  // namespace lgn
