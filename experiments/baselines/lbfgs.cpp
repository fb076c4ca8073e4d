#include "experiments/baselines/lbfgs.h"

#include <LBFGS.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "lgn/core/error.h"

namespace lgn::studies {
namespace {

using Ending = LbfgsResult::Ending;

/// So many evaluations without a lower loss are a failed line search.
constexpr int stalled = 200;
/// A search without memory has helped where it lowers the loss by this fraction.
constexpr double helpful = 1e-3;

/// Thrown through LBFGSpp to end the search.
struct Ended {
  Ending ending;
};

/// The loss as the line search sees it, and the best point that it has seen.
class WatchedLoss {
 public:
  WatchedLoss(const Objective& objective, const LbfgsOptions& options, LbfgsResult& result)
      : objective_(objective), options_(options), result_(result) {}

  double operator()(const Vector& x, Vector& gradient) {
    if (!x.allFinite()) throw std::runtime_error("the line search left the real numbers");
    const double loss = objective_(x, gradient);
    const bool finite = std::isfinite(loss) && gradient.allFinite();
    if (++result_.evaluations == 1 && !finite) throw Ended{Ending::not_finite};
    const double most = result_.evaluations == 1 ? loss : far_above(x);
    if (finite && loss < result_.loss) {
      result_.loss = loss;
      result_.x = x;
      best_gradient_ = gradient;
      best_at_ = result_.evaluations;
    }
    if (options_.observe && !options_.observe(result_.evaluations, result_.loss))
      throw Ended{Ending::stopped};
    if (result_.evaluations >= options_.max_evaluations) throw Ended{Ending::too_many_evaluations};
    if (result_.evaluations > best_at_ + stalled) throw std::runtime_error("no lower loss found");
    if (!finite) {
      gradient = best_gradient_;
      return most;
    }
    last_ = loss;
    return std::min(loss, most);
  }

  /// Begins to count evaluations without a lower loss.
  void begin() { best_at_ = result_.evaluations; }

 private:
  /// A line search that interpolates by a parabola comes back from this loss by a factor of 22.
  /// From one of 1e100 it would come back to where it started.
  double far_above(const Vector& x) const {
    const double promised = std::abs(best_gradient_.dot(x - result_.x));
    return std::max(result_.loss, last_) + 10 * promised + std::numeric_limits<double>::min();
  }

  const Objective& objective_;
  const LbfgsOptions& options_;
  LbfgsResult& result_;
  Vector best_gradient_;
  double last_ = 0;  ///< the last finite loss
  int best_at_ = 0;  ///< the evaluation that found the best loss
};

LBFGSpp::LBFGSParam<double> settings_of(const LbfgsOptions& options) {
  LBFGSpp::LBFGSParam<double> settings;
  settings.m = options.memory;
  settings.epsilon = options.gradient_tolerance;
  settings.epsilon_rel = 0;
  settings.past = options.loss_tolerance > 0 ? 1 : 0;
  settings.delta = options.loss_tolerance;
  settings.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_STRONG_WOLFE;
  settings.max_linesearch = 40;
  return settings;
}

}  // namespace

LbfgsResult minimize_lbfgs(const Objective& objective, const Vector& x0,
                           const LbfgsOptions& options) {
  LbfgsResult result{x0, std::numeric_limits<double>::infinity()};
  WatchedLoss loss(objective, options, result);
  const auto settings = settings_of(options);
  for (double before = result.loss;; before = result.loss) {
    loss.begin();
    try {
      LBFGSpp::LBFGSSolver<double, LBFGSpp::LineSearchNocedalWright> solver(settings);
      Vector x = result.x;
      double value = 0;
      solver.minimize(loss, x, value);
      result.ending = Ending::converged;
      return result;
    } catch (const Ended& ended) {
      result.ending = ended.ending;
      return result;
    } catch (const Error&) {  // of the objective
      throw;
    } catch (const std::invalid_argument& wrong) {  // of the options
      throw Error(wrong.what());
    } catch (const std::runtime_error&) {  // of the line search
    } catch (const std::logic_error&) {    // of a direction that leads upwards
    }
    if (!(result.loss < (1 - helpful) * before)) {
      result.ending = Ending::at_precision;
      return result;
    }
  }
}

}  // namespace lgn::studies
