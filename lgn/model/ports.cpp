#include "lgn/model/ports.h"

namespace lgn {

std::vector<ModelPort> ports(const Model& model) {
  std::vector<ModelPort> result;
  const Matrix& b = model.drive.b;
  const std::vector<std::string> states = model.states();
  for (Index j = 0; j < b.cols(); ++j)
    for (Index i = 0; i < b.rows(); ++i)
      if (b(i, j) != 0)
        result.push_back({model.inputs[static_cast<std::size_t>(j)],
                          states[static_cast<std::size_t>(i)], b(i, j),
                          model.b_errors.size() > 0 ? model.b_errors(i, j) : 0.0});
  return result;
}

}  // namespace lgn
