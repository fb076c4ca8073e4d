#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lgn::testing {

/// Whether every tag is closed in turn, quotes in tags close, and no bare & < or > stands in the
/// text. Elements without content are written <x/>, or as HTML's meta.
inline ::testing::AssertionResult well_formed(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < text.size();) {
    const auto fail = [&](const std::string& what) {
      return ::testing::AssertionFailure() << what << " at " << at << ": " << text.substr(at, 80);
    };
    if (text[at] == '&') {
      const std::size_t end =
          text.find_first_not_of("abcdefghijklmnopqrstuvwxyz#0123456789", at + 1);
      if (end == std::string::npos || text[end] != ';' || end == at + 1) return fail("a bare &");
    }
    if (text[at] == '>') return fail("a bare >");
    if (text[at] != '<') {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    for (char quote = 0; end < text.size() && (quote != 0 || text[end] != '>'); ++end) {
      if (quote != 0 && text[end] == '<') return fail("a < in an attribute");
      if (text[end] == '\'' || text[end] == '"')
        quote = quote == 0 ? text[end] : quote == text[end] ? '\0' : quote;
    }
    if (end == text.size()) return fail("a tag that does not end");
    const std::string tag = text.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" \n/", 1));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return fail("a tag that closes nothing");
      open.pop_back();
    } else if (tag[0] != '!' && tag.back() != '/' && name != "meta") {
      open.push_back(name);
    }
    at = end + 1;
  }
  if (!open.empty())
    return ::testing::AssertionFailure() << "<" << open.back() << "> is not closed";
  return ::testing::AssertionSuccess();
}

/// A page without its styles and scripts, whose contents are not markup.
inline std::string markup_of(std::string page) {
  for (const std::string name : {"style", "script"})
    for (std::size_t at = page.find("<" + name); at != std::string::npos;
         at = page.find("<" + name, at))
      page.erase(at, page.find("</" + name + ">", at) + name.size() + 3 - at);
  return page;
}

/// How often `part` stands in `text`.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++times;
  return times;
}

}  // namespace lgn::testing
