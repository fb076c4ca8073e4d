// A driven system of hidden states by maximum likelihood.

#include <cmath>
#include <memory>
#include <numbers>

#include "claim.h"
#include "lgn/core/random.h"
#include "lgn/flow/forced_response.h"
#include "lgn/identify.h"

namespace lgn::bench {

Claim driven_8(const std::string& folder) {
  constexpr Index pairs = 4, inputs = 2, channels = 2, samples = 2000, held = 5;
  Random random(8);
  Matrix a = Matrix::Zero(2 * pairs, 2 * pairs);
  for (Index p = 0; p < pairs; ++p) {
    // Periods of 40, 20, 10 and 5 samples, damping ratios of 4 to 10%.
    const double w = 2 * std::numbers::pi / 40 * std::pow(2.0, static_cast<double>(p));
    const double damping = 0.04 + 0.06 * random.uniform();
    a.block(2 * p, 2 * p, 2, 2) << 0, w, -w, -2 * damping * w;
  }
  // So that all modes respond alike.
  const Vector width = a.diagonal().cwiseAbs().cwiseSqrt().array() + 0.05;
  const Matrix b = width.asDiagonal() * random.normals(2 * pairs, inputs);
  const Matrix c = random.normals(channels, 2 * pairs);
  Matrix u = random.normals(inputs, samples);
  for (Index k = 0; k < samples; ++k) u.col(k) = u.col(k - k % held).eval();
  const Vector times = Vector::LinSpaced(samples, 0, static_cast<double>(samples - 1));
  Matrix y =
      c * forced_states(a, random.normals(2 * pairs), b, input_course(times, u, {Hold::zoh, 0}));
  const Vector sizes = (y.rowwise().squaredNorm() / static_cast<double>(samples)).cwiseSqrt();
  y += 0.05 * sizes.asDiagonal() * random.normals(channels, samples);
  write_numbers(folder, "samples", y);
  write_numbers(folder, "inputs", u);
  const auto data = std::make_shared<const Dataset>(
      std::vector<std::string>{"y1", "y2"}, std::vector<Trajectory>{Trajectory("1", times, y, u)},
      std::vector<std::string>{"u1", "u2"});
  const auto poles = std::make_shared<Matrix>();
  FitOptions options;
  options.states = States::given;
  options.state_count = 2 * pairs;
  options.hold = InputHold::zoh;
  options.feedthrough = Feedthrough::yes;
  options.noise_model = NoiseModel::output;
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
