#include "lgn/physics/signal_content.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"

namespace lgn {
namespace {

/// R of a QR factorisation of everything that was added; blocks keep the memory small.
class Triangle {
 public:
  explicit Triangle(Index columns) : stack_(0, columns) {}

  void add(const Matrix& rows) {
    Matrix both(stack_.rows() + rows.rows(), stack_.cols());
    both << stack_, rows;
    stack_ = qr_triangle(both);
  }
  const Matrix& value() const { return stack_; }

 private:
  Matrix stack_;
};

}  // namespace

SignalContent find_signal_content(const Dataset& data, const Vector& noise) {
  const Index n = data.dimension();
  const Index block = std::max<Index>(4 * n, 256);
  Triangle triangle(n);
  Index samples = 0;
  Matrix rows(block, n);
  Index filled = 0;
  for (const auto& run : data.runs())
    for (Index k = 0; k < run.samples(); ++k) {
      const auto sample = run.states().col(k);
      if (sample.array().isNaN().any()) continue;
      rows.row(filled++) = (sample.array() / noise.array()).transpose();
      ++samples;
      if (filled < block) continue;
      triangle.add(rows);
      filled = 0;
    }
  if (filled > 0) triangle.add(rows.topRows(filled));
  SignalContent content;
  if (samples == 0) return content;
  content.singular_values = singular_values(triangle.value());
  content.floor = std::sqrt(static_cast<double>(samples)) + std::sqrt(static_cast<double>(n));
  return content;
}

}  // namespace lgn
