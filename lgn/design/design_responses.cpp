#include "lgn/design/design_responses.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "lgn/design/expression.h"
#include "lgn/physics/time_response.h"
#include "lgn/physics/transfer_function.h"

namespace lgn {
namespace {

using Pair = std::pair<std::string, std::string>;

void collect(const Expression& expression, std::vector<Pair>& pairs) {
  if (!expression.output.empty()) pairs.emplace_back(expression.output, expression.input);
  for (const auto& part : expression.parts) collect(*part, pairs);
}

std::vector<Pair> pairs_of(const NamedSystem& system, const DesignRecord& design) {
  std::vector<Pair> pairs;
  for (const DesignedProperty& target : design.targets) {
    const Target parsed = parse_target(target.text, system);
    collect(*parsed.left, pairs);
    for (const auto& right : parsed.right) collect(*right, pairs);
  }
  // The objective's text begins with what is done to it: "minimise peak(q1/f1)".
  const std::string& text = design.objective.text;
  collect(*parse_expression(text.substr(text.find(' ') + 1), system), pairs);
  const Model& model = system.original();
  if (pairs.empty())
    for (const std::string& input : model.inputs)
      for (const std::string& channel : model.channels) pairs.emplace_back(channel, input);
  std::vector<Pair> once;
  std::set<Pair> seen;
  constexpr std::size_t most = 12;
  for (const Pair& pair : pairs)
    if (seen.insert(pair).second && once.size() < most) once.push_back(pair);
  return once;
}

DrivenSystem driven(const NamedSystem& system, const Pair& pair) {
  const Index output = system.output(pair.first);
  const Vector p = system.start();
  return {system.generator(p), system.source(pair.second, p), system.observation().row(output),
          Matrix::Constant(1, 1, system.feedthrough(output, pair.second)),
          system.delay(pair.second)};
}

Vector sizes(const DrivenSystem& system, const Vector& omega) {
  const TransferFunction transfer(system);
  return omega.unaryExpr([&](double w) { return std::abs(transfer.value({0, w})(0, 0)); });
}

}  // namespace

std::vector<DesignedResponse> design_responses(const Model& before, const Model& after) {
  std::vector<DesignedResponse> list;
  if (!after.design) return list;
  const NamedSystem old(before), made(after);
  double slow = 1e300, fast = 0, settles = 1e300;
  ComplexVector poles(before.dimension() + after.dimension());
  poles << eigenvalues(before.a), eigenvalues(after.a);
  for (const Complex pole : poles) {
    settles = std::min(settles, -pole.real());
    if (const double size = std::abs(pole); size > 0) {
      slow = std::min(slow, size);
      fast = std::max(fast, size);
    }
  }
  if (!(fast > 0)) return list;
  for (const Pair& pair : pairs_of(old, *after.design)) {
    DesignedResponse one{pair.first, pair.second};
    constexpr Index points = 400;
    const DrivenSystem first = driven(old, pair), second = driven(made, pair);
    one.omega = frequency_grid(poles, 0.1 * slow, 10 * fast, points);
    one.before = sizes(first, one.omega);
    one.after = sizes(second, one.omega);
    if (settles > 0) {
      // Six time constants of the slowest mode, but no more periods of the fastest than can be drawn.
      const double duration = std::min(6 / settles, 400 / fast);
      one.times = Vector::LinSpaced(1500, 0, duration);
      one.step_before = step_responses(first, {}, one.times).front().values;
      one.step_after = step_responses(second, {}, one.times).front().values;
    }
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace lgn
