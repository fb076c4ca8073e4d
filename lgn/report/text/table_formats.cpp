#include "lgn/report/text/table_formats.h"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

#include "lgn/core/error.h"

namespace lgn {
namespace {

/// Each character of `text` as `escape` writes it.
template <class Escape>
std::string escaped(const std::string& text, Escape escape) {
  std::string result;
  for (const char c : text) result += escape(c);
  return result;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace

TableFormat find_table_format(const std::string& name) {
  if (name == "text") return TableFormat::text;
  if (name == "csv") return TableFormat::csv;
  if (name == "markdown") return TableFormat::markdown;
  if (name == "latex") return TableFormat::latex;
  throw Error(fmt::format("unknown format \"{}\"", name),
              "formats are text, csv, markdown and latex");
}

std::string markdown_text(const std::string& text) {
  return escaped(text, [](char c) {
    const bool special = std::string_view("\\`*_|<>[]").find(c) != std::string_view::npos;
    return special ? std::string{'\\', c} : std::string{c};
  });
}

std::string latex_text(const std::string& text) {
  return escaped(text, [](char c) -> std::string {
    switch (c) {
      case '\\':
        return "\\textbackslash{}";
      case '~':
        return "\\textasciitilde{}";
      case '^':
        return "\\textasciicircum{}";
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        return {'\\', c};
      default:
        return {c};
    }
  });
}

std::string latex_number(const std::string& cell) {
  if (cell == "–") return "--";
  std::string text = replaced(replaced(cell, "±", "\\pm"), "i", "\\,\\mathrm{i}");
  for (auto at = text.find('e'); at != std::string::npos; at = text.find('e', at + 1)) {
    // Only the powers of ten are left to hold an e; 1e+07 and 1e-07 are written without zeros.
    std::size_t end = at + 2;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    const std::string power = fmt::format(
        "\\cdot 10^{{{}}}", std::stoi(text.substr(text[at + 1] == '+' ? at + 2 : at + 1)));
    text.replace(at, end - at, power);
    at += power.size() - 1;
  }
  return "$" + text + "$";
}

std::string markdown_table(const Table& table) {
  std::string text = fmt::format("| {} |\n|", fmt::join(table.header, " | "));
  for (std::size_t c = 0; c < table.header.size(); ++c) text += "---|";
  text += '\n';
  for (const auto& row : table.rows) text += fmt::format("| {} |\n", fmt::join(row, " | "));
  return text;
}

std::string latex_table(const Table& table, const std::string& columns,
                        const std::string& caption) {
  std::string text = fmt::format(
      "\\begin{{table}}\n\\centering\n\\caption{{{}}}\n\\begin{{tabular}}{{{}}}\n\\hline\n",
      caption, columns);
  const auto add = [&](const std::vector<std::string>& row) {
    text += fmt::format("{} \\\\\n", fmt::join(row, " & "));
  };
  add(table.header);
  text += "\\hline\n";
  for (const auto& row : table.rows) add(row);
  return text + "\\hline\n\\end{tabular}\n\\end{table}\n";
}

}  // namespace lgn
