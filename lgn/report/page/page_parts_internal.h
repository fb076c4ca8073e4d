#pragma once

// Pieces of markup that the sections of a report share; not installed.

#include <fmt/format.h>

#include <string>

#include "lgn/report/text/markup.h"

namespace lgn {

/// A plot that the page's script draws where this stands.
inline std::string figure_html(const std::string& name, const char* size = "") {
  return fmt::format("<figure class='wide' data-plot='{}' data-size='{}'></figure>", name, size);
}

inline std::string heading(const std::string& title, const std::string& words = "") {
  return fmt::format("<h2>{}</h2>{}", title,
                     words.empty() ? "" : "<p class='soft'>" + escape_markup(words) + "</p>");
}

}  // namespace lgn
