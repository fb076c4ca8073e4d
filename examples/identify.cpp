// From a file of measurements to poles: what `lgn fit` does, in a program of your own.
#include <cstdio>

#include "lgn/lgn.h"

int main() {
  const lgn::Dataset data = lgn::read_csv({"examples/ringdown.csv"});
  const lgn::Model model = lgn::identify(data);

  for (const lgn::Mode& mode : model.modes)
    if (mode.pole.imag() > 0)
      std::printf("%.5f ± %.5f Hz, damping ratio %.4f ± %.4f\n", mode.frequency_hz,
                  mode.se->frequency_hz, mode.damping_ratio, mode.se->damping_ratio);

  // The free response beyond the data, from the initial state of the run.
  const lgn::Vector times = lgn::Vector::LinSpaced(5, 0, 120);
  const lgn::Matrix states = lgn::simulate(model, model.starts.col(0), times);
  for (lgn::Index k = 0; k < times.size(); ++k)
    std::printf("t = %5.1f  v1 = %+.5f\n", times[k], states(0, k));
  return model.fit.converged ? 0 : 1;
}
