#include "lgn/flow/excitation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"

namespace lgn {
namespace {

Vector steps(const Vector& times, Random& random) {
  Vector result(times.size());
  for (Index k = 0; k < times.size();) {
    const Index count =
        std::min<Index>(times.size() - k, 5 + static_cast<Index>(16 * random.uniform()));
    result.segment(k, count).setConstant(random.uniform() < 0.5 ? -1.0 : 1.0);
    k += count;
  }
  return result;
}

}  // namespace

Vector excitation(const std::string& kind, const Vector& times, Random& random) {
  const Index count = times.size();
  if (kind == "steps") return steps(times, random);
  if (kind == "random") return random.normals(count);
  const Vector t = times.array() - times[0];
  const double duration = std::max(t[count - 1], 1e-300), slowest = 1 / duration;
  const double fastest = std::max(static_cast<double>(count) / (8 * duration), slowest);
  if (kind == "chirp")
    return (2 * pi *
            (slowest * t.array() + (fastest - slowest) / (2 * duration) * t.array().square()))
        .sin();
  if (kind != "multisine")
    throw Error(fmt::format("there is no excitation \"{}\"", kind),
                "it takes steps, chirp, multisine or random");
  constexpr int waves = 20;
  Vector result = Vector::Zero(count);
  for (int k = 1; k <= waves; ++k) {
    const double frequency = std::round(fastest * duration * k / waves) * slowest;
    const double phase = 2 * pi * random.uniform();
    result.array() += std::sqrt(2.0 / waves) * (2 * pi * frequency * t.array() + phase).cos();
  }
  return result;
}

}  // namespace lgn
