// Hidden states of a long record of one channel.

#include <cmath>
#include <memory>
#include <numbers>

#include "claim.h"
#include "lgn/core/random.h"
#include "lgn/identify.h"

namespace lgn::bench {

Claim hidden40(const std::string& folder, Index samples) {
  constexpr Index pairs = 20;
  constexpr double rate = 44100;
  const double duration = static_cast<double>(samples) / rate;
  Random random(1);
  Vector times(samples);
  for (Index k = 0; k < samples; ++k) times[k] = static_cast<double>(k) / rate;
  Matrix y = Matrix::Zero(1, samples);
  for (Index p = 0; p < pairs; ++p) {
    // Frequencies far from one another, so that every method finds all of them.
    const double frequency = 300 + 380 * static_cast<double>(p) + 100 * random.uniform();
    // By a factor of e⁴ to e¹⁸ over the record, however long.
    const double decay = (4 + 14 * random.uniform()) / duration,
                 phase = 2 * std::numbers::pi * random.uniform();
    const double w = 2 * std::numbers::pi * frequency;
    y.array() +=
        (-decay * times.array()).exp().transpose() * (w * times.array() + phase).cos().transpose();
  }
  const double size = std::sqrt(y.squaredNorm() / static_cast<double>(samples));
  y += 0.01 * size * random.normals(1, samples);
  write_numbers(folder, "samples", y);
  const auto data = std::make_shared<const Dataset>(
      std::vector<std::string>{"y"}, std::vector<Trajectory>{Trajectory("1", times, y)});
  const auto poles = std::make_shared<Matrix>();
  FitOptions options;
  options.structure = "modal";
  options.states = States::given;
  options.state_count = 2 * pairs;
  options.offset = Offset::none;
  return {[=] {
            const Model model = identify(*data, options);
            poles->resize(2, pairs);
            Index column = 0;
            for (const Mode& mode : model.modes)
              if (mode.pole.imag() > 0 && column < pairs)
                poles->col(column++) << mode.pole.real(), mode.pole.imag();
          },
          [=] {
            return std::map<std::string, Matrix>{{"poles", *poles}};
          }};
}

}  // namespace lgn::bench
