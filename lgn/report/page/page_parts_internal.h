#pragma once

// Pieces of markup that the sections of a report share; not installed.

#include <fmt/format.h>

#include <string>

#include "lgn/model/model.h"
#include "lgn/report/text/markup.h"
#include "lgn/report/text/tables.h"

namespace lgn {

/// A plot that the page's script draws where this stands.
inline std::string figure_html(const std::string& name, const char* size = "") {
  return fmt::format("<figure class='wide' data-plot='{}' data-size='{}'></figure>", name, size);
}

inline std::string heading(const std::string& title, const std::string& words = "") {
  return fmt::format("<h2>{}</h2>{}", title,
                     words.empty() ? "" : "<p class='soft'>" + escape_markup(words) + "</p>");
}

/// Of an axis.
inline std::string time_label(const Model& model) {
  return fmt::format("time [{}]", model.time_unit);
}

/// Cells of a table as markup.
inline std::string table_html(const Table& table) {
  const auto row = [](const std::vector<std::string>& cells, const char* tag) {
    std::string out;
    for (const auto& cell : cells) out += fmt::format("<{0}>{1}</{0}>", tag, escape_markup(cell));
    return "<tr>" + out + "</tr>";
  };
  std::string out = "<div class='table'><table>" + row(table.header, "th");
  for (const auto& cells : table.rows) out += row(cells, "td");
  return out + "</table></div>";
}

}  // namespace lgn
