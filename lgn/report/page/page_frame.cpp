#include <fmt/format.h>

#include "lgn/report/page/page_data.h"
#include "lgn/report/page/page_frame_internal.h"
#include "lgn/report/page/page_internal.h"
#include "lgn/report/text/markup.h"

namespace lgn {
namespace {

constexpr const char* page_head = R"(<!doctype html>
<html lang='en'><head><meta charset='utf-8'>
<meta name='viewport' content='width=device-width,initial-scale=1'>
<meta http-equiv='Content-Security-Policy' content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>{} – lgn report</title>
<style>
{}</style></head><body>
)";

}  // namespace

std::string page_html(const std::string& name, const std::string& body, const Model& model,
                      const std::vector<ReportPlot>& plots, Index channels,
                      const std::vector<std::string>& runs) {
  std::string out = fmt::format(page_head, escape_markup(name), embedded::page_style) + body;
  out +=
      "<noscript><p>The plots need JavaScript; lgn also writes them as SVG files.</p></noscript>";
  out += "<script type='application/json' id='report-data'>" +
         page_data(model, plots, channels, runs) + "</script>";
  for (const auto& script : {embedded::chart_script, embedded::plot_script, embedded::page_script})
    out += fmt::format("<script>\n{}</script>", script);
  return out + "</body></html>\n";
}

}  // namespace lgn
