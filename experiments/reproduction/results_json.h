#pragma once

#include <string>
#include <vector>

#include "experiments/reproduction/results.h"

namespace lgn::studies {

/// Every number for other programs:
///   {"exp3": [{"method": …, "metric": …, "paper": …, "paper_method": …, "ours": …}, …], …}.
///
/// `paper_method` is the median over `seeds` seeds, `paper_method_low` and `paper_method_high` the
/// range. What does not exist is null; so is a number of ours that is not finite, and the row then
/// has "diverged": true. Fields of text are left out where they are empty.
std::string results_json(const std::vector<Findings>& all);

/// All that an experiment found, to be read back by read_findings() to the last bit.
std::string findings_json(const Findings& findings);

/// Throws Error that names the field at fault.
Findings read_findings(const std::string& text);

}  // namespace lgn::studies
