#include "lgn/shape_errors_internal.h"

#include <cmath>
#include <utility>
#include <vector>

namespace lgn {
namespace {

/// A change with a few parameters.
using Slopes = std::vector<std::pair<Index, Complex>>;

/// Standard errors of Re and Im of what has these slopes, R the root of the covariance of θ.
Complex error_of(const Slopes& slopes, const SparseRows& root) {
  Vector re = Vector::Zero(root.cols()), im = Vector::Zero(root.cols());
  for (const auto& [row, slope] : slopes)
    for (SparseRows::InnerIterator entry(root, row); entry; ++entry) {
      re[entry.col()] += slope.real() * entry.value();
      im[entry.col()] += slope.imag() * entry.value();
    }
  return {re.norm(), im.norm()};
}

}  // namespace

void set_shape_errors(Model& model, const ModalStructure& structure, const SparseRows& root) {
  model.c_errors.setZero(model.outputs(), model.dimension());
  const ModalPoles found = modal_poles(structure, model.theta);
  for (Index state = 0; state < model.dimension(); ++state) {
    const auto& block = structure.blocks()[static_cast<std::size_t>(state / 2)];
    const auto [w, d] = structure.rates(block, model.theta);
    const Complex pole = found.poles[state];
    const ComplexVector shape = found.shapes.col(state);
    std::vector<Slopes> slopes(static_cast<std::size_t>(shape.size()));
    for (Index channel = 0, row = 0; channel < model.outputs(); ++channel) {
      if (channel == block.reference) continue;
      const Index place = block.rows + block.size() * row++;
      for (Index i = 0; i < block.size(); ++i)
        model.c_errors(channel, block.state + i) = root.row(place + i).norm();
      // c₁ + c₂ λ/w, and how it moves with c, w and d; 2λ + d is zero for a double pole.
      Slopes& own = slopes[static_cast<std::size_t>(channel)];
      own.emplace_back(place, 1);
      const Complex apart = 2.0 * pole + d;
      if (block.pair && w > 0 && std::abs(apart) > 1e-9 * w) {
        const double c2 = model.theta[place + 1];
        own.emplace_back(place + 1, pole / w);
        own.emplace_back(block.rates, c2 * (-2.0 / apart - pole / (w * w)));
        if (!structure.lossless()) own.emplace_back(block.rates + 1, -c2 * pole / (apart * w));
      }
    }
    Index largest = 0;
    const double most = shape.cwiseAbs().maxCoeff(&largest), size = shape.norm();
    if (!(size > 0)) continue;
    const Slopes of_largest = slopes[static_cast<std::size_t>(largest)];
    ComplexVector errors(shape.size());
    for (Index channel = 0; channel < shape.size(); ++channel) {
      if (channel == largest) {
        errors[channel] = 0;
        continue;
      }
      Slopes relative = slopes[static_cast<std::size_t>(channel)];
      for (const auto& [row, slope] : of_largest)
        relative.emplace_back(row, -slope * shape[channel] / shape[largest]);
      for (auto& [row, slope] : relative) slope /= shape[largest];
      errors[channel] = most / size * error_of(relative, root);
    }
    for (Mode& mode : model.modes)
      if (std::abs(mode.pole - pole) <= 1e-9 * std::abs(pole)) mode.shape_errors = errors;
  }
}

}  // namespace lgn
