// From a file of measurements to a table for a paper; docs/tutorial.md walks through it.
// Run from the top of the repository.
#include <iostream>

#include "lgn/lgn.h"

int main() {
  // [try]
  const lgn::Dataset data = lgn::read_csv({"examples/ringdown.csv"});
  const lgn::Model trial = lgn::identify(data, {.holdout = 0.2});
  std::cout << lgn::summary_text(trial);

  // [fit]
  lgn::Model model = lgn::identify(data, {.structure = "sd", .bootstrap = 500});
  model.data.sha256 = lgn::sha256_of_files({"examples/ringdown.csv"});
  for (const lgn::Warning& warning : model.warnings)
    std::cout << warning.code << ": " << warning.message << '\n';

  // [predict]
  const lgn::Vector times = lgn::Vector::LinSpaced(301, 0, 150);
  const lgn::Matrix states = lgn::simulate(model, model.starts.col(0), times);
  std::cout << "v1 at t = 150: " << lgn::short_number(states(0, 300)) << '\n';

  // [table]
  std::cout << lgn::modes_in(lgn::TableFormat::markdown, model);
  // [end]
  return model.warnings.empty() ? 0 : 1;
}
