// From a file of measurements to a table for a paper; docs/tutorial.md walks through it.
// Run from the top of the repository.
#include <iostream>

#include "lgn/lgn.h"

int main() {
  // [try]
  const std::string cart = "examples/air-track/real_linear_h_1.txt";
  const lgn::Dataset data = lgn::read_data({cart}, {.columns = {"trial", "t", "x", "-"}});
  const lgn::Model trial = lgn::identify(data, {.holdout = 0.2});
  std::cout << lgn::summary_text(trial);

  // [fit]
  lgn::Model model = lgn::identify(data, {.states = lgn::States::given, .state_count = 2});
  model.data.sha256 = lgn::sha256_of_files({cart});
  for (const lgn::Warning& warning : model.warnings)
    std::cout << warning.code << ": " << warning.message << '\n';

  // [predict]
  const lgn::Vector times = lgn::Vector::LinSpaced(121, 0, 60);
  const lgn::Matrix positions = lgn::simulate(model, model.starts.col(0), times);
  std::cout << "x after a minute: " << lgn::short_number(positions(0, 120)) << '\n';

  // [table]
  std::cout << lgn::modes_in(lgn::TableFormat::markdown, model);
  // [end]
  return model.warnings.empty() ? 0 : 1;
}
