#pragma once

#include <string>
#include <vector>

#include "lgn/report/page/report_plots.h"

namespace lgn {

/// A whole page around its body: head, style, the plots' data and the scripts that draw them. `name` is plain text for its title,
/// `channels` and `runs` what the page can page through.
std::string page_html(const std::string& name, const std::string& body, const Model& model,
                      const std::vector<ReportPlot>& plots, Index channels = 0,
                      const std::vector<std::string>& runs = {});

}  // namespace lgn
