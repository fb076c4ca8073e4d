// A generator that varies in time: its law found in data, and a law of one's own.
#include <cmath>
#include <cstdio>

#include "lgn/lgn.h"

int main() {
  // An oscillator whose damping is modulated, γ(t) = 0.3 (1 + 0.5 sin t), sampled with 1% noise.
  const lgn::System system = lgn::ltv_oscillator(1, 0.3, 0.5, 1);
  const lgn::Dataset data = lgn::sample_runs(
      system, {.end = 20, .step = 0.1, .noise = 0.01, .start = lgn::Vector{{1.0, 0.0}}});

  // Neither what varies nor how fast is given.
  const lgn::Model model =
      lgn::identify(data, {.structure = "ltv-sd", .basis = lgn::Basis::harmonics});
  for (const lgn::EntryCourse& entry : model.variation->course.entries)
    for (const lgn::HarmonicPart& part : entry.harmonics)
      std::printf("%s = %.4f ± %.4f, varies by %.4f ± %.4f\n", entry.name.c_str(), entry.mean,
                  entry.mean_error, part.amplitude, part.amplitude_error);
  std::printf("largest Floquet multiplier %.3f\n",
              model.variation->floquet->multipliers.cwiseAbs().maxCoeff());

  // The same data under a formula of one's own, whose parameters are found.
  using Range = lgn::Constant::Range;
  lgn::VaryingLaw modulated("modulated", 2,
                            {{"stiffness", Range::positive, 1.2},
                             {"damping", Range::non_negative, 0.35},
                             {"swing", Range::any, 0.05},
                             {"rate", Range::positive, 1.1}},
                            [](double t, const auto& p, auto& a) {
                              using std::sin;
                              a << 0, 1, -p[0], -p[1] - p[2] * sin(p[3] * t);
                            });
  lgn::FitOptions options;
  options.custom_structure = std::make_shared<const lgn::VaryingParametric>(modulated);
  const lgn::Model named = lgn::identify(data, options);
  for (std::size_t k = 0; k < named.parameters.size(); ++k)
    std::printf("%s = %.4f ± %.4f\n", named.parameters[k].name.c_str(),
                named.parameters[k].value(0, 0), named.variation->errors[static_cast<long>(k)]);

  const double rate = named.parameters[3].value(0, 0);
  return std::abs(rate - 1) < 4 * named.variation->errors[3] ? 0 : 1;
}
