// A CSV file of 100 MB: one run, eight channels, numbers of 15 to 17 digits.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "claim.h"
#include "lgn/core/random.h"
#include "lgn/data/csv/csv.h"

namespace lgn::bench {

Claim csv_read(const std::string& folder) {
  constexpr Index channels = 8, samples = 570'000;  // about 175 bytes each
  const std::string path = folder + "/numbers.csv";
  {
    Random random(1);
    std::vector<std::string> names;
    for (Index c = 0; c < channels; ++c) names.push_back(fmt::format("x{}", c + 1));
    Vector times = Vector::LinSpaced(samples, 0, 1e-3 * static_cast<double>(samples));
    write_csv(Dataset(names, {Trajectory("1", times, random.normals(channels, samples))}), path);
  }
  const auto data = std::make_shared<std::optional<Dataset>>();
  return {[=] {
            data->reset();
            data->emplace(read_csv({path}));
          },
          [=] {
            const Trajectory& run = (*data)->runs().front();
            return std::map<std::string, Matrix>{{"times", run.times()}, {"states", run.states()}};
          }};
}

}  // namespace lgn::bench
