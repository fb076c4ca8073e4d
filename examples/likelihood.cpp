// The pieces under identify(): an initial guess by regression, maximum likelihood, and how certain its poles
// are.
#include <cstdio>

#include "lgn/lgn.h"

int main() {
  const lgn::System ladder =
      lgn::ladder(lgn::Vector::Constant(3, 0.1), lgn::Vector::Ones(3), lgn::Vector::Ones(3));
  const lgn::Dataset data = lgn::sample_runs(ladder, {.runs = 5, .noise = 0.05, .seed = 7});

  const auto structure = std::make_shared<const lgn::SdStructure>(6);
  const lgn::Matrix start = lgn::closed_form(data, *structure);
  const lgn::Fit found =
      lgn::maximum_likelihood(data, structure, {.theta = {structure->project(start)}});

  const lgn::Matrix a = found.generator();
  const lgn::Information information{
      lgn::information_matrix(data, *structure, found.theta, found.noise),
      structure->directions(found.theta)};
  auto modes = lgn::find_modes(a, structure->guarantee());
  lgn::set_errors(modes, lgn::pole_covariances(a, information), 30, 1);
  for (const lgn::Mode& mode : modes)
    if (mode.pole.imag() > 0)
      std::printf("%.5f(%.0e) %+.5f(%.0e)i\n", mode.pole.real(), mode.se->re, mode.pole.imag(),
                  mode.se->im);
  return found.converged ? 0 : 1;
}
