// The pieces under identify(): a start by regression, maximum likelihood, and how certain its poles
// are.
#include <cstdio>

#include "lgn/lgn.h"

int main() {
  const lgn::System ladder =
      lgn::ladder(lgn::Vector::Constant(3, 0.1), lgn::Vector::Ones(3), lgn::Vector::Ones(3));
  const lgn::Dataset data = lgn::sample_runs(ladder, {.runs = 5, .noise = 0.05, .seed = 7});

  const lgn::SdStructure structure(6);
  const lgn::Matrix start = lgn::closed_form(data, structure);
  const lgn::MaximumLikelihood found = lgn::maximum_likelihood(data, structure, {start});

  const lgn::Information information = lgn::find_information(
      found.generator, lgn::parameter_directions(structure, found.theta), data, found.noise);
  auto modes = lgn::find_modes(found.generator, structure.guarantee());
  lgn::set_errors(modes, lgn::pole_covariances(found.generator, information), 30, 1);
  for (const lgn::Mode& mode : modes)
    if (mode.pole.imag() > 0)
      std::printf("%.5f(%.0e) %+.5f(%.0e)i\n", mode.pole.real(), mode.se->re, mode.pole.imag(),
                  mode.se->im);
  return found.converged ? 0 : 1;
}
