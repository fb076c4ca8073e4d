#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace lgn {

/// A setting as messages name it: "`structure: network`", or "`channels`" where no value is
/// recommended.
///
/// `name` is that of the option in the library, such as max_seconds. Errors, warnings and the
/// warnings in a model file hold settings in this form, backquotes included. Whoever shows a message
/// writes them as its reader types them, by write_settings(): the program as --structure network, the
/// Python package as structure="network".
std::string setting(std::string_view name, std::string_view value = {});

/// Writes one setting; `value` is empty where there is none.
using SettingWriter = std::function<std::string(std::string_view name, std::string_view value)>;

/// The text with every setting in it as `write` has it; all else stays as it is.
std::string write_settings(std::string_view text, const SettingWriter& write);

}  // namespace lgn
