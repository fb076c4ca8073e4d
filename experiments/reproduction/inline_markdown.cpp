#include "experiments/reproduction/inline_markdown.h"

#include <cctype>
#include <sstream>

#include "lgn/report/text/markup.h"

namespace lgn::studies {
namespace {

bool space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Whether a star here can begin an emphasis: "A*" is a name, "2 * 3" a product.
bool opens(const std::string& text, std::size_t at, std::size_t width) {
  const char before = at == 0 ? ' ' : text[at - 1];
  const std::size_t next = at + width;
  return (space(before) || before == '(' || before == '*' || before == '"') && next < text.size() &&
         !space(text[next]);
}

/// Where the emphasis that begins before `from` ends; npos: nowhere.
std::size_t closing(const std::string& text, const std::string& sign, std::size_t from) {
  std::size_t at = text.find(sign, from + 1);
  while (at != std::string::npos && space(text[at - 1])) at = text.find(sign, at + 1);
  return at;
}

bool harmless(const std::string& address) {
  if (address.rfind("https://", 0) == 0 || address.rfind("http://", 0) == 0) return true;
  return !address.empty() && address.find(':') == std::string::npos &&
         address.find(' ') == std::string::npos && address.rfind("//", 0) != 0;
}

/// Of text that is escaped already.
std::string spans(const std::string& text) {
  constexpr auto none = std::string::npos;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\\' && at + 1 < text.size() && std::string("\\*`[]|").find(text[at + 1]) != none) {
      out += text[at + 1];
      at += 2;
      continue;
    }
    if (c == '`')
      if (const auto end = text.find('`', at + 1); end != none) {
        out += "<code>" + text.substr(at + 1, end - at - 1) + "</code>";
        at = end + 1;
        continue;
      }
    if (c == '[')
      if (const auto middle = text.find(']', at); middle != none && text[middle + 1] == '(')
        if (const auto end = text.find(')', middle); end != none) {
          const std::string address = text.substr(middle + 2, end - middle - 2);
          if (harmless(address)) {
            out +=
                "<a href='" + address + "'>" + spans(text.substr(at + 1, middle - at - 1)) + "</a>";
            at = end + 1;
            continue;
          }
        }
    if (c == '*') {
      const bool bold = text.compare(at, 2, "**") == 0;
      const std::string sign = bold ? "**" : "*", tag = bold ? "strong" : "em";
      const auto from = at + sign.size(), end = closing(text, sign, from);
      if (opens(text, at, sign.size()) && end != none) {
        out += "<" + tag + ">" + spans(text.substr(from, end - from)) + "</" + tag + ">";
        at = end + sign.size();
        continue;
      }
    }
    out += c;
    ++at;
  }
  return out;
}

}  // namespace

std::string inline_html(const std::string& markdown) { return spans(escape_markup(markdown)); }

std::string paragraphs_html(const std::string& markdown) {
  std::istringstream lines(markdown);
  std::string out, paragraph, line;
  const auto close = [&] {
    if (!paragraph.empty()) out += "<p>" + inline_html(paragraph) + "</p>\n";
    paragraph.clear();
  };
  while (std::getline(lines, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      close();
    else
      paragraph += (paragraph.empty() ? "" : "\n") + line;
  }
  close();
  return out;
}

std::string plain_text(const std::string& markdown) {
  std::string out;
  for (const char c : markdown)
    if (std::string("*`[]\\").find(c) == std::string::npos) out += c == '\n' ? ' ' : c;
  return out;
}

}  // namespace lgn::studies
