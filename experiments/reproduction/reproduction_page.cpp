#include "experiments/reproduction/reproduction_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/reproduction/inline_markdown.h"
#include "lgn/report/text/markup.h"

namespace lgn::studies {
namespace {

constexpr const char* page_title = "The paper's experiments, reproduced";
constexpr const char* nothing = "–";

constexpr const char* page_head = R"(<!doctype html>
<html lang='en'><head><meta charset='utf-8'/>
<meta name='viewport' content='width=device-width,initial-scale=1'/>
<meta name='color-scheme' content='light dark'/>
<title>The paper's experiments, reproduced</title>
<style>
:root { --text: #1d1f23; --quiet: #5a606b; --paper: #fff; --raised: #f4f5f7; --rule: #d9dce1;
  --link: #0061a8; color-scheme: light dark }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8ec; --quiet: #a3a9b5; --paper: #16181c;
  --raised: #202329; --rule: #3a3f48; --link: #7cc0ff } }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100% }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0; color: var(--text);
  background: var(--paper) }
main { max-width: 1280px; margin: 0 auto; padding: 1.5rem 1rem 4rem }
h1 { font-size: 1.75rem; line-height: 1.2; margin: .5rem 0 1rem }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 0 0 .75rem }
section { margin-top: 2.5rem; padding-top: 1.5rem; border-top: 1px solid var(--rule) }
p, nav { max-width: 75ch; overflow-wrap: break-word }
p { margin: .75rem 0 }
a { color: var(--link) }
nav { background: var(--raised); border-radius: 8px; padding: .75rem 1rem; margin: 1.5rem 0 }
nav ul { list-style: none; margin: .25rem 0 0; padding: 0 }
nav a { display: inline-block; padding: .2rem 0 }
code { font: .88em ui-monospace, monospace; background: var(--raised); padding: .1em .3em;
  border-radius: 4px; overflow-wrap: anywhere }
.setting, .time, figcaption { color: var(--quiet) }
.time { font-size: .875rem }
.table { overflow-x: auto; max-width: 100%; margin: 1.25rem 0 }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums }
th, td { padding: .35rem 1.25rem .35rem 0; text-align: left; vertical-align: top;
  white-space: nowrap; border-bottom: 1px solid var(--rule) }
th { color: var(--quiet); font-weight: 600; vertical-align: bottom; white-space: normal;
  max-width: 14rem }
.number { text-align: right }
.first td { border-top: 2px solid var(--rule) }
.note { white-space: normal; min-width: 16rem; max-width: 60ch }
.ours { font-weight: 600 }
.panels { display: grid; gap: 1.25rem; margin: 1.5rem 0;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)) }
figure { margin: 0; min-width: 0; max-width: 46rem }
.drawing { overflow-x: auto; background: #fff; border: 1px solid var(--rule); border-radius: 8px }
.drawing svg { display: block; width: 100%; height: auto; min-width: 27rem }
figcaption { font-size: .875rem; margin-top: .4rem }
@media (max-width: 48rem) { h1 { font-size: 1.45rem } h2 { font-size: 1.15rem }
  th, td { padding-right: .8rem } .note { white-space: nowrap; max-width: none } }
@media print {
  :root { --text: #000; --quiet: #333; --paper: #fff; --raised: #fff; --rule: #bbb; --link: #000;
    color-scheme: light }
  body { font-size: 10pt } main { max-width: none; padding: 0 }
  .table { overflow: visible } table { font-size: 7.5pt }
  th, td { padding: .15rem .6rem .15rem 0 } .note { white-space: normal; min-width: 0 }
  .panels { grid-template-columns: 1fr 1fr } .drawing svg { min-width: 0 }
  figure, tr { break-inside: avoid } h2 { break-after: avoid }
}
</style></head><body><main>
)";

/// Three digits; powers of ten where there would be many zeros.
std::string number_text(double value, const std::string& metric) {
  if (!std::isfinite(value)) return "diverged";
  if (metric == "violations") return fmt::format("{:.3g}%", 100 * value);
  const double size = std::abs(value);
  const bool count = metric == "parameters" || metric == "unstable";
  const bool whole = count && value == std::round(value) && size < 1e9;
  return whole || (size >= 999.5 && size < 99999.5) ? fmt::format("{:.0f}", value)
                                                    : fmt::format("{:.3g}", value);
}

std::string paper_text(const Row& row) {
  if (!row.paper_text.empty()) return row.paper_text;
  return row.paper ? number_text(*row.paper, row.metric) : nothing;
}

/// "0.9 (0.8 … 1.2)", and once where they read the same.
std::string seeds_text(const Row& row) {
  if (row.paper_method.empty()) return nothing;
  const std::string low = number_text(row.lowest(), row.metric),
                    high = number_text(row.highest(), row.metric),
                    middle = number_text(row.median(), row.metric);
  return low == high ? middle : fmt::format("{} ({} … {})", middle, low, high);
}

/// A column of a table.
struct Column {
  const char* title;
  const char* kind;  ///< CSS class: number, note, …; empty: text
  std::string (*cell)(const Row&);
};

std::vector<Column> columns_of(const Findings& findings) {
  const auto any = [&](std::string Row::*text) {
    return std::any_of(findings.rows.begin(), findings.rows.end(),
                       [text](const Row& row) { return !(row.*text).empty(); });
  };
  std::vector<Column> columns;
  if (any(&Row::system))
    columns.push_back({"system", "", [](const Row& row) { return row.system; }});
  columns.push_back({"method", "", [](const Row& row) { return row.method; }});
  columns.push_back({"metric", "", [](const Row& row) { return metric_title(row.metric); }});
  columns.push_back({"paper", "number", paper_text});
  columns.push_back({"same method, ours: median (lowest … highest)", "number", seeds_text});
  columns.push_back({"ours", "number ours", [](const Row& row) {
                       return row.ours ? number_text(*row.ours, row.metric) : nothing;
                     }});
  if (any(&Row::note))
    columns.push_back({"notes", "note", [](const Row& row) { return row.note; }});
  return columns;
}

bool numeric(const Column& column) { return std::string(column.kind).rfind("number", 0) == 0; }

/// Text of a cell of a Markdown table.
std::string cell_text(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
  return out;
}

std::string table_html(const Findings& findings) {
  const std::vector<Column> columns = columns_of(findings);
  std::string out = "<div class='table'><table><thead><tr>";
  for (const Column& column : columns)
    out += fmt::format("<th class='{}'>{}</th>", column.kind, escape_markup(column.title));
  out += "</tr></thead><tbody>\n";
  for (std::size_t k = 0; k < findings.rows.size(); ++k) {
    const Row& row = findings.rows[k];
    const bool first = k > 0 && (row.system != findings.rows[k - 1].system ||
                                 row.method != findings.rows[k - 1].method);
    out += first ? "<tr class='first'>" : "<tr>";
    for (const Column& column : columns) {
      const std::string text = column.cell(row);
      const bool note = std::string(column.kind) == "note";
      out += fmt::format("<td class='{}'>{}</td>", column.kind,
                         note ? inline_html(text) : escape_markup(text));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.2g} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string experiment_html(const Findings& findings) {
  std::string out = fmt::format("<section id='{}'>\n<h2>{}</h2>\n<div class='setting'>{}</div>\n",
                                escape_markup(findings.id), escape_markup(findings.title),
                                paragraphs_html(findings.setting));
  if (!findings.rows.empty()) out += table_html(findings);
  if (!findings.panels.empty()) {
    out += "<div class='panels'>\n";
    for (const Panel& panel : findings.panels)
      out +=
          fmt::format("<figure><div class='drawing'>{}</div><figcaption>{}</figcaption></figure>\n",
                      panel.svg, inline_html(panel.caption));
    out += "</div>\n";
  }
  for (const std::string& remark : findings.remarks) out += paragraphs_html(remark);
  if (findings.seconds > 0)
    out += fmt::format("<p class='time'>Computed in {}.</p>\n", duration(findings.seconds));
  return out + "</section>\n";
}

}  // namespace

std::string experiment_table(const Findings& findings) {
  const std::vector<Column> columns = columns_of(findings);
  std::string out = "|", rule = "|";
  for (const Column& column : columns) {
    out += fmt::format(" {} |", column.title);
    rule += numeric(column) ? "---:|" : "---|";
  }
  out += "\n" + rule + "\n";
  for (const Row& row : findings.rows) {
    out += "|";
    for (const Column& column : columns) out += fmt::format(" {} |", cell_text(column.cell(row)));
    out += "\n";
  }
  return out;
}

std::string reproduction_markdown(const std::vector<Findings>& all,
                                  const std::string& figures_folder,
                                  const std::string& introduction) {
  std::string out = fmt::format("# {}\n\n{}\n", page_title, introduction);
  for (const Findings& findings : all) {
    out += fmt::format("\n## {}\n\n{}\n", findings.title, findings.setting);
    if (!findings.rows.empty()) out += "\n" + experiment_table(findings);
    for (const Panel& panel : findings.panels)
      out += fmt::format("\n![{}]({}/{}.svg)\n\n{}\n", plain_text(panel.caption), figures_folder,
                         panel.name, panel.caption);
    for (const std::string& remark : findings.remarks) out += "\n" + remark + "\n";
    if (findings.seconds > 0) out += fmt::format("\nComputed in {}.\n", duration(findings.seconds));
  }
  return out;
}

std::string reproduction_html(const std::vector<Findings>& all, const std::string& introduction) {
  std::string out = page_head + fmt::format("<h1>{}</h1>\n{}", escape_markup(page_title),
                                            paragraphs_html(introduction));
  if (!all.empty()) {
    out += "<nav><strong>Contents</strong><ul>\n";
    for (const Findings& findings : all)
      out += fmt::format("<li><a href='#{}'>{}</a></li>\n", escape_markup(findings.id),
                         escape_markup(findings.title));
    out += "</ul></nav>\n";
  }
  for (const Findings& findings : all) out += experiment_html(findings);
  return out + "</main></body></html>\n";
}

}  // namespace lgn::studies
