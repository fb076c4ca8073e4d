// From a model to a better machine: a ladder is identified from noisy runs, then its resistors are chosen so that every mode is
// damped by a fifth at the least total resistance, with 95% over what the data leave uncertain.
#include <cstdio>

#include "lgn/lgn.h"

int main() {
  const lgn::System ladder =
      lgn::ladder(lgn::Vector::Constant(3, 0.1), lgn::Vector::Ones(3), lgn::Vector::Ones(3));
  const lgn::Dataset data = lgn::sample_runs(ladder, {.runs = 3, .noise = 0.02, .seed = 1});
  const lgn::Model found = lgn::identify(data, {.structure = "network"});

  lgn::DesignOptions wanted;
  wanted.free = {"R*"};
  wanted.bounds = {"R*=1e-3:10"};
  wanted.targets = {"zeta>=0.2"};
  wanted.minimise = "sum(R*)";
  wanted.robust = true;
  const lgn::Model better = lgn::design(found, wanted);
  std::fputs(lgn::design_text(better).c_str(), stdout);

  // What tolerance matters: how far 1% of an element moves the damping ratio, in per cent.
  const lgn::DesignRecord& record = *better.design;
  for (std::size_t k = 0; k < record.values.size(); ++k)
    std::printf("zeta by %s: %+.3f\n", record.values[k].name.c_str(),
                record.targets.front().sensitivities[lgn::Index(k)]);
  for (const lgn::Mode& mode : better.modes)
    if (mode.damping_ratio < 0.2) return 1;
  return 0;
}
