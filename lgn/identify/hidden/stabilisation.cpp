#include "lgn/identify/hidden/stabilisation.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lgn/core/stop.h"
#include "lgn/identify/realisation/candidate_realisations.h"

namespace lgn {
namespace {

constexpr Index most_values = 100, most_states = 60, more_states = 20;
/// Of all shapes together, so that a model's file stays below some megabytes.
constexpr Index most_entries = 100'000;
/// In nanoseconds, roughly.
constexpr double most_diagram_work = 3e8;

double rounded(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1 - digits;
  // Powers of ten up to the 22nd are exact, so that the quotient is the number nearest to the decimal.
  const double scale = std::pow(10.0, std::abs(exponent));
  return exponent > 0 ? std::round(value / scale) * scale : std::round(value * scale) / scale;
}

Complex rounded(Complex value, int digits) {
  return {rounded(value.real(), digits), rounded(value.imag(), digits)};
}

/// The largest entry one, to four digits.
ComplexVector unit_shape(const ComplexVector& shape) {
  constexpr double shape_unit = 1e4;
  Index largest = 0;
  const double size = shape.cwiseAbs().maxCoeff(&largest);
  const Complex unit = size > 0 ? shape[largest] : Complex(1);
  return (shape / unit).unaryExpr([](const Complex& v) {
    const auto part = [](double value) {
      return std::round(value * shape_unit) / shape_unit + 0.0;  // never −0
    };
    return Complex(part(v.real()), part(v.imag()));
  });
}

OrderPoles oscillations_of(const Realisation& found, const Vector& sizes) {
  constexpr int pole_digits = 9;
  const Index count = (found.poles.imag().array() > 0).count();
  OrderPoles result{found.poles.size(), ComplexVector(count),
                    ComplexMatrix(found.shapes.rows(), count)};
  Index k = 0;
  for (Index p = 0; p < found.poles.size(); ++p) {
    if (!(found.poles[p].imag() > 0)) continue;
    ComplexVector shape = found.shapes.col(p);
    if (sizes.size() > 0) shape = shape.cwiseProduct(sizes.cast<Complex>()).eval();
    result.poles[k] = rounded(found.poles[p], pole_digits);
    result.shapes.col(k++) = unit_shape(shape);
  }
  return result;
}

bool alike(const OrderPoles& a, Index i, const OrderPoles& b, Index j,
           const StabilityCriteria& criteria) {
  const double frequency = std::abs(a.poles[i]), before = std::abs(b.poles[j]);
  const double damping = -a.poles[i].real() / frequency,
               damping_before = -b.poles[j].real() / before;
  return std::abs(frequency - before) <= criteria.frequency * frequency &&
         std::abs(damping - damping_before) <= criteria.damping * std::abs(damping) &&
         modal_assurance(a.shapes.col(i), b.shapes.col(j)) >= criteria.assurance;
}

/// How many lightly damped poles some orders have that are stable, by one of the matrices.
Index settled(const CandidateRealisations& realisation, Index matrix, Index chosen) {
  constexpr double light = 0.3;
  Index count = 0;
  for (const Index more : {0, 8}) {
    std::vector<OrderPoles> two;
    for (const Index states : {chosen + more, chosen + more + 2})
      if (const auto found = realisation.realise_by(matrix, states))
        two.push_back(oscillations_of(*found, {}));
    if (two.size() < 2) continue;
    const std::vector<bool> stable = stable_poles(two).back();
    for (Index k = 0; k < std::ssize(stable); ++k) {
      const Complex pole = two.back().poles[k];
      count += stable[static_cast<std::size_t>(k)] && -pole.real() < light * std::abs(pole) ? 1 : 0;
    }
  }
  return count;
}

/// The matrix with most of them; as far as a part of the work tells.
Index best_matrix(const CandidateRealisations& realisation, Index chosen) {
  Index best = 0, most = -1;
  const WorkLimit limit(most_diagram_work / 2);
  unless_stopped([&] {
    for (Index k = 0; k < realisation.matrices(); ++k)
      if (const Index count = settled(realisation, k, chosen); count > most) {
        most = count;
        best = k;
      }
  });
  return best;
}

}  // namespace

std::vector<std::vector<bool>> stable_poles(const std::vector<OrderPoles>& orders,
                                            const StabilityCriteria& criteria) {
  std::vector<std::vector<bool>> stable;
  for (std::size_t k = 0; k < orders.size(); ++k) {
    const OrderPoles& order = orders[k];
    std::vector<bool> here(static_cast<std::size_t>(order.poles.size()), false);
    for (Index i = 0; k > 0 && i < order.poles.size(); ++i)
      for (Index j = 0; j < orders[k - 1].poles.size(); ++j)
        if (alike(order, i, orders[k - 1], j, criteria)) here[static_cast<std::size_t>(i)] = true;
    stable.push_back(std::move(here));
  }
  return stable;
}

Stabilisation find_stabilisation(const CandidateRealisations& realisation, Index chosen,
                                 const Vector& sizes) {
  Stabilisation result;
  const Vector& values = realisation.singular_values();
  result.singular_values = values.head(std::min(values.size(), most_values));
  const Index last = std::min(std::max(2 * chosen, chosen + more_states), most_states);
  const Index matrix = best_matrix(realisation, std::min(chosen + chosen % 2, last));
  const WorkLimit limit(most_diagram_work);
  unless_stopped([&] {
    Index entries = 0;
    for (Index states = 2; states <= last && entries < most_entries; states += 2) {
      const std::optional<Realisation> found = realisation.realise_by(matrix, states);
      if (!found) break;
      OrderPoles poles = oscillations_of(*found, sizes);
      entries += poles.shapes.size();
      result.orders.push_back(std::move(poles));
    }
  });
  return result;
}

Stabilisation mapped(const Stabilisation& found, const Matrix& map) {
  Stabilisation result{found.singular_values, {}};
  Index entries = 0;
  for (const OrderPoles& order : found.orders) {
    if (entries >= most_entries) break;
    OrderPoles poles{order.states, order.poles, map.cast<Complex>() * order.shapes};
    for (Index k = 0; k < poles.shapes.cols(); ++k)
      poles.shapes.col(k) = unit_shape(poles.shapes.col(k));
    entries += poles.shapes.size();
    result.orders.push_back(std::move(poles));
  }
  return result;
}

}  // namespace lgn
