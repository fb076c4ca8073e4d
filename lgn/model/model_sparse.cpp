#include "lgn/model/model_sparse.h"

#include <limits>

#include "lgn/dynamics/network_pattern.h"
#include "lgn/flow/propagate_sparse.h"
#include "lgn/identify/sparse/sparse_fit.h"

namespace lgn {

SparseGenerator ModelSparse::generator() const {
  return {std::make_shared<NetworkPattern>(*structure), theta};
}

Network ModelSparse::network(const std::vector<std::string>& channels) const {
  std::optional<NetworkEvidence> known;
  if (errors.size() > 0) {
    known.emplace();
    known->present.assign(structure->elements().size(), std::numeric_limits<double>::quiet_NaN());
    known->se = errors;
  }
  return describe_network(*structure, theta, channels, guess_kinds(channels), known, 1);
}

Matrix ModelSparse::propagate(const Vector& x0, const Vector& times) const {
  return propagate_sparse(*structure, theta, x0, times)[0];
}

Matrix ModelSparse::initial_states(const Dataset& data, const Vector& noise,
                                   const Vector& offset) const {
  return sparse_initial_states(*structure, theta, data, noise, offset);
}

}  // namespace lgn
