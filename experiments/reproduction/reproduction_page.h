#pragma once

#include <string>
#include <vector>

#include "experiments/reproduction/results.h"

namespace lgn::studies {

/// The numbers of an experiment beside the paper's, as a Markdown table.
std::string experiment_table(const Findings& findings);

/// A page in Markdown: for every experiment its setting, its table, its figures, which are files of
/// `figures_folder`, and what is to be said about them.
std::string reproduction_markdown(const std::vector<Findings>& all,
                                  const std::string& figures_folder,
                                  const std::string& introduction);

/// The same as one HTML page that needs no other file: light or dark as the reader has it, for screens
/// from a phone's on, and for paper. The introduction is Markdown.
std::string reproduction_html(const std::vector<Findings>& all, const std::string& introduction);

}  // namespace lgn::studies
