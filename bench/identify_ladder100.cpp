// The ladder's generator from its data, which are in memory already.

#include <fmt/format.h>

#include <memory>

#include "claim.h"
#include "ladder.h"
#include "lgn/core/error.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify.h"
#include "lgn/identify/regression/closed_form.h"

namespace lgn::bench {
namespace {

/// The peer trains and does not find the system, so there is no answer to compare: ours is compared
/// with the truth.
Claim found_by(const std::function<Matrix(const Dataset&)>& find, const std::string& folder) {
  const auto ladder = std::make_shared<Ladder>(make_ladder());
  write_ladder(*ladder, folder);
  const auto generator = std::make_shared<Matrix>();
  return {[=] { *generator = find(ladder->data); },
          [=] {
            constexpr double allowed = 1e-6;
            const double error = (*generator - ladder->generator).norm() / ladder->generator.norm();
            if (!(error <= allowed))
              throw Error(fmt::format("the generator is wrong by {:.1e} > {:.1e}", error, allowed));
            return std::map<std::string, Matrix>{};
          }};
}

}  // namespace

Claim identify_ladder100(const std::string& folder) {
  return found_by(
      [](const Dataset& data) { return closed_form(data, SdStructure(Ladder::dimension)); },
      folder);
}

Claim identify_ladder100_auto(const std::string& folder) {
  return found_by([](const Dataset& data) { return identify(data).a; }, folder);
}

Claim fit_ladder100(const std::string& folder) {
  const auto ladder = std::make_shared<Ladder>(make_ladder());
  write_ladder(*ladder, folder);
  write_numbers(folder, "times", ladder->data.runs().front().times());
  const auto generator = std::make_shared<Matrix>();
  return {[=] { *generator = identify(ladder->data).a; },
          [=] {
            return std::map<std::string, Matrix>{{"A", *generator}};
          }};
}

}  // namespace lgn::bench
