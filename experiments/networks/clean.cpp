#include "experiments/networks/clean.h"

#include <cmath>

#include "experiments/identification/data.h"
#include "lgn/identify.h"
#include "lgn/physics/assignment.h"

namespace lgn::studies {
namespace {

double carried_by_all(const Dataset& data, const Dataset& exact) {
  double product = 0, square = 0;
  for (std::size_t r = 0; r < exact.runs().size(); ++r) {
    const Matrix &x = data.runs()[r].states(), &y = exact.runs()[r].states();
    const Vector& times = exact.runs()[r].times();
    product += (x - y).cwiseProduct(y).colwise().sum().dot(times);
    square += y.colwise().squaredNorm().dot(times.cwiseAbs2());
  }
  return product / square;
}

double carried_by_modes(const Matrix& a, const Dataset& data, const Dataset& exact) {
  const Eigensystem system = eigensystem(a);
  const Index n = a.rows();
  ComplexVector product = ComplexVector::Zero(n);
  Vector square = Vector::Zero(n);
  for (std::size_t r = 0; r < exact.runs().size(); ++r) {
    const Matrix& y = exact.runs()[r].states();
    const ComplexMatrix modes = system.left.adjoint() * y;
    const ComplexMatrix excess = system.left.adjoint() * (data.runs()[r].states() - y);
    const Vector& times = exact.runs()[r].times();
    for (Index k = 0; k < times.size(); ++k) {
      product += times[k] * modes.col(k).conjugate().cwiseProduct(excess.col(k));
      square += times[k] * times[k] * modes.col(k).cwiseAbs2();
    }
  }
  return product.cwiseAbs().cwiseQuotient(square).mean();
}

}  // namespace

Clean study_clean(const CleanOptions& options) {
  const NetworkSystem truth = equal_ladder(options.sections, options.named);
  const Matrix& a = truth.system.a;
  Random random(options.seed);
  const Dataset exact = exact_runs(truth.system,
                                   std::vector<Vector>(static_cast<std::size_t>(options.runs),
                                                       even_times(options.step, options.samples)),
                                   random);
  const Dataset data = options.integrated ? integrated(truth.system, exact) : exact;
  const Model model = identify(data, {.structure = "network"});

  Clean result;
  result.wiring = compare_wiring(model, truth);
  result.data_error = relative_error(data, exact);
  result.carried = carried_by_all(data, exact);
  result.carried_by_modes = carried_by_modes(a, data, exact);
  const ComplexVector poles = eigenvalues(a), found = eigenvalues(model.a);
  const EigenvalueMatch match = match_eigenvalues(poles, found);
  result.error = match.distance.mean();
  const auto count = static_cast<double>(poles.size());
  for (Index k = 0; k < poles.size(); ++k) {
    const Complex change = found[match.partner[static_cast<std::size_t>(k)]] - poles[k];
    result.shift += change.real() / count;
    result.left += std::abs(change - result.carried) / count;
  }
  return result;
}

}  // namespace lgn::studies
