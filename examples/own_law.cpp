// A law of your own: named parameters in, a generator out, derivatives for free.
// Two tanks that drain into one another and out: ḣ1 = −a(h1 − h2), ḣ2 = a(h1 − h2) − b h2.
#include <cmath>
#include <cstdio>
#include <memory>

#include "lgn/lgn.h"

int main() {
  using Range = lgn::Constant::Range;
  lgn::Law tanks("tanks", 2, {{"pipe", Range::positive, 1.0}, {"outlet", Range::positive, 1.0}},
                 [](const auto& p, auto& a) { a << -p[0], p[0], p[0], -p[0] - p[1]; });
  tanks.promise({.stable = true, .dissipative = true},
                [](const lgn::Vector&) { return lgn::Matrix::Identity(2, 2); });

  // Measurements of the real tanks, pipe = 0.8 and outlet = 0.3, with 1% noise.
  const lgn::Vector truth{{0.8, 0.3}};
  lgn::System system{"tanks", {"h1", "h2"}, tanks.generator(truth), tanks.energy(truth), {}, true};
  const lgn::Dataset data =
      lgn::sample_runs(system, {.runs = 2, .end = 10, .step = 0.05, .noise = 0.01, .seed = 7});

  const lgn::Model model =
      lgn::identify(data, {.custom_structure = std::make_shared<lgn::ParametricStructure>(tanks)});
  bool close = true;
  for (std::size_t k = 0; k < 2; ++k) {
    const double found = model.parameters[k].value(0, 0), real = truth[static_cast<lgn::Index>(k)];
    std::printf("%-6s %.4f (true %.1f)\n", model.parameters[k].name.c_str(), found, real);
    close = close && std::abs(found - real) < 0.02 * real;
  }
  return close ? 0 : 1;
}
