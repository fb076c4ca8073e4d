#include "lgn/identify/nonlinear/law_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/channel_kinds.h"
#include "lgn/data/outliers.h"
#include "lgn/data/scales.h"
#include "lgn/identify/nonlinear/law_search_internal.h"

namespace lgn {
namespace {

/// Residuals of a structure beyond so many times those of a free law, or of noise, contradict it.
constexpr double contradiction = 3;

std::string contradiction_text(const LawFit& fit) {
  return fmt::format(
      "the residuals of \"{}\" are {:.3g} times those of a law without structure: the data "
      "contradict it",
      fit.recipe.name, fit.misfit);
}

/// Positions whose names say that they are angles.
std::vector<Index> named_angles(const std::vector<std::string>& channels, Index masses) {
  std::vector<Index> result;
  for (Index i = 0; i < masses; ++i) {
    std::string name = channels[static_cast<std::size_t>(i)];
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const char* word : {"theta", "angle", "phi", "deflection"})
      if (name.find(word) != std::string::npos) {
        result.push_back(i);
        break;
      }
  }
  return result;
}

/// Recipes of one name for these channels, the simplest first.
std::vector<NonlinearRecipe> recipes_of(const std::string& name, const Dataset& data, Index n) {
  if (name == "gyro" && n <= 3) return {{name, n, 2}, {name, n, 3}};
  if (name != "nonlinear-mechanical") return {{name, n}};
  if (n % 2 != 0) return {{name, n}};
  MechanicalTerms plain, swinging;
  swinging.angles = named_angles(data.channels(), n / 2);
  if (!swinging.angles.empty()) return {{name, n, 0, swinging}};
  // One mass may be a pendulum whatever its channel is called.
  if (n != 2) return {{name, n, 0, plain}};
  swinging.angles = {0};
  swinging.springs = {2, 4};
  return {{name, n, 0, plain}, {name, n, 0, swinging}};
}

void check_channels(const Dataset& data) {
  constexpr Index most = 20;
  if (data.dimension() > most)
    throw Error(fmt::format("a nonlinear law of {} channels", data.dimension()),
                fmt::format("choose at most {} with {}", most, setting("channels")));
}

/// What tells recipes of one name apart.
std::string variant_text(const NonlinearRecipe& recipe) {
  if (recipe.name == "gyro" && recipe.degree > 0) return fmt::format(" (degree {})", recipe.degree);
  return recipe.mechanical.angles.empty() ? "" : " (with sines)";
}

/// The best of several recipes, by the criterion.
LawSelection best_of(const Dataset& data, const std::vector<NonlinearRecipe>& recipes,
                     const FitOptions& options, bool must_be_certified) {
  check_channels(data);
  // Samples that stand out would lead the regression away.
  const Dataset clean = options.robust() ? without_outliers(data) : data;
  const SmoothedData smoothed = smooth(clean, recipes.front().states > data.dimension());
  LawSelection result;
  bool found = false;
  // Why the one that came nearest is none.
  double nearest = std::numeric_limits<double>::infinity();
  std::string reason;
  for (const NonlinearRecipe& recipe : recipes) {
    StructureCandidate candidate;
    candidate.structure = recipe.name;
    double distance = std::numeric_limits<double>::max();
    try {
      const LawFit regressed = regress_law(clean, smoothed, recipe, options.timing());
      distance = regressed.misfit;
      if (recipe.name != "polynomial" && distance > contradiction)
        throw NotIdentified(contradiction_text(regressed));
      const LawFit fit = search_terms(data, smoothed, regressed,
                                      options.in_stage(recipe.name + variant_text(recipe)));
      const Vector sizes = channel_amplitudes(data);
      const double beyond =
          fit.noise.cwiseQuotient(smoothed.noise.cwiseMax(regression_floor * sizes)).maxCoeff();
      // Where successive linearisation ends, structures are not to blame.
      if (recipe.name != "polynomial" && beyond > contradiction &&
          options.method != Method::successive)
        throw NotIdentified(
            fmt::format("\"{}\" leaves {:.3g} times the noise of the data: they contradict it",
                        recipe.name, beyond));
      candidate.parameters = fit.terms();
      candidate.criterion = fit.criterion;
      candidate.nrmse = fit.noise.norm() / channel_amplitudes(data).norm();
      if (must_be_certified && recipe.name == "lossless" &&
          !certified_bound(*fit.structure, fit.theta))
        throw NotIdentified("the fitted law is not proved to stay bounded");
      // Of laws with the same terms the first stands.
      constexpr double alike = 0.1;
      if (!found || fit.criterion < result.fit.criterion - alike) {
        result.fit = fit;
        for (auto& other : result.candidates) {
          if (other.chosen) other.verdict.replace(0, std::string("smallest").size(), "larger");
          other.chosen = false;
        }
        candidate.chosen = true;
        candidate.verdict = "smallest criterion";
      } else {
        candidate.verdict = "larger criterion";
      }
      found = true;
    } catch (const NotIdentified& error) {
      candidate.verdict = error.problem();
      if (distance < nearest) reason = error.problem();
      nearest = std::min(nearest, distance);
    }
    candidate.verdict += variant_text(recipe);
    result.candidates.push_back(candidate);
    if (result.fit.stopped) break;
  }
  if (!found)
    throw NotIdentified("no nonlinear law that cannot gain energy explains the data: " + reason,
                        "a law without that promise is " + setting("structure", "polynomial"));
  return result;
}

}  // namespace

Index LawFit::terms() const {
  return static_cast<Index>(std::count(active.begin(), active.end(), true));
}

bool is_nonlinear(const std::string& name) {
  const auto& names = nonlinear_structure_names();
  return name == "nonlinear" || std::find(names.begin(), names.end(), name) != names.end();
}

LawFit fit_law(const Dataset& data, const NonlinearRecipe& recipe, const FitOptions& options) {
  return best_of(data, {recipe}, options, false).fit;
}

bool of_positions_alone(const Dataset& data, const FitOptions& options) {
  const Index channels = data.dimension();
  const bool masses =
      options.structure == "nonlinear" || options.structure == "nonlinear-mechanical";
  if (options.states == States::given && options.state_count != channels) {
    if (options.state_count != 2 * channels)
      throw Error(
          fmt::format("a nonlinear law of {} states in {} channels", options.state_count, channels),
          fmt::format("it has a state for each channel, or, of positions alone, {}",
                      setting("states", fmt::format("{}", 2 * channels))));
    if (!masses)
      throw Error(fmt::format("\"{}\" has no hidden states", options.structure),
                  "positions alone have " + setting("structure", "nonlinear-mechanical"));
    return true;
  }
  if (options.states != States::automatic || !masses) return false;
  const auto kinds =
      options.network.kinds.empty() ? guess_kinds(data.channels()) : options.network.kinds;
  return channels == 1 || std::all_of(kinds.begin(), kinds.end(), [](ChannelKind kind) {
           return kind == ChannelKind::position;
         });
}

LawSelection select_law(const Dataset& data, const FitOptions& options) {
  const bool positions = of_positions_alone(data, options);
  const Index n = positions ? 2 * data.dimension() : data.dimension();
  std::vector<NonlinearRecipe> recipes;
  if (positions || options.structure != "nonlinear") {
    recipes = recipes_of(positions ? "nonlinear-mechanical" : options.structure, data, n);
  } else {
    if (n % 2 == 0) recipes = recipes_of("nonlinear-mechanical", data, n);
    for (const char* name : {"storage", "gyro", "lossless"}) {
      // The number of terms grows with the square or the cube of the states.
      if (n < 2 || n > 6) continue;
      // Its constant terms would be another offset.
      if (options.offset == Offset::estimate && std::string(name) == "lossless") continue;
      const auto more = recipes_of(name, data, n);
      recipes.insert(recipes.end(), more.begin(), more.end());
    }
  }
  if (options.driven)
    for (auto& recipe : recipes) recipe.inputs = static_cast<Index>(data.inputs().size());
  if (recipes.empty())
    throw Error(fmt::format("no nonlinear structure for {} channels is known", n),
                "positions and velocities have " + setting("structure", "nonlinear-mechanical"));
  return best_of(data, recipes, options, options.structure == "nonlinear");
}

}  // namespace lgn
