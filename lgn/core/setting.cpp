#include "lgn/core/setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace lgn {
namespace {

bool is_name(std::string_view text) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::all_of(text.begin(), text.end(), allowed);
}

}  // namespace

std::string setting(std::string_view name, std::string_view value) {
  return value.empty() ? fmt::format("`{}`", name) : fmt::format("`{}: {}`", name, value);
}

std::string write_settings(std::string_view text, const SettingWriter& write) {
  constexpr std::string_view between = ": ";
  std::string written;
  for (std::size_t begin = text.find('`'); begin != text.npos; begin = text.find('`')) {
    const std::size_t end = text.find('`', begin + 1);
    if (end == text.npos) break;
    const std::string_view inside = text.substr(begin + 1, end - begin - 1);
    const std::size_t colon = inside.find(between);
    const std::string_view name = inside.substr(0, colon);
    const std::string_view value =
        colon == inside.npos ? std::string_view() : inside.substr(colon + between.size());
    // A backquote that opens no setting may close before one that does.
    const std::size_t taken = is_name(name) ? end + 1 : begin + 1;
    written += text.substr(0, begin);
    written += is_name(name) ? write(name, value) : std::string("`");
    text.remove_prefix(taken);
  }
  return written.append(text);
}

}  // namespace lgn
