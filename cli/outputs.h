#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lgn/report/plot/figure.h"

namespace lgn::cli {

/// For a command to call before its work: throws Error when an output could not be written, is one
/// of the inputs, or is named twice. Empty names stand for outputs that nobody asked for.
void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// Adds the plots of a report as files of a folder, which is made where it is missing.
void add_figures(std::vector<std::pair<std::string, std::string>>& files, const std::string& folder,
                 const std::vector<Figure>& figures);

/// Writes texts to their paths such that all files appear or none; empty paths are left out.
void write_together(const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace lgn::cli
