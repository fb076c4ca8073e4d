#pragma once

// What the exporters of all languages share; not installed.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lgn/dynamics/modulated.h"
#include "lgn/dynamics/varying_law.h"
#include "lgn/flow/magnus_scheme.h"
#include "lgn/model/model.h"

namespace lgn::export_internal {

/// The shortest text that reads back to the same bits, and to a real number in every language: 1.0,
/// not 1.
std::string exact(double value);
/// Numbers with `between` between them.
std::string listed(const Vector& values, std::string_view between = ", ");
/// Rows, each between `open` and `close`, with `between` between them.
std::string listed(const Matrix& rows, std::string_view open, std::string_view close,
                   std::string_view between);

/// Where a generator varies: as what. One of the two is there, or none.
struct Variation {
  const ModulatedStructure* modulated = nullptr;
  const VaryingParametric* law = nullptr;
};

/// Throws Error where A or a start is not finite.
void check_finite(const Model& model);
/// The same, and Error for a generator that varies in a way that no script knows.
Variation check_exportable(const Model& model);

/// One line of text: what is no UTF-8, and control characters, become U+FFFD or spaces.
std::string one_line(const std::string& text);
/// "6 states of structure sd, found by lgn 0.1.0".
std::string title(const Model& model);

/// How a matrix that a base structure is made of takes entries of u(t), from `first` on.
enum class Part { skew, lower };
/// Which entry of u stands at (i, j), counted from 0, with a sign; 0 where none does, else ±(k + 1).
Index place(Part part, Index n, Index first, Index i, Index j);

/// Real and imaginary parts.
std::pair<Vector, Vector> poles(const Model& model);
/// When the first run starts, as `lgn simulate` has it.
double begin_of(const Model& model);
/// Replaces each `@name@` of a template by its text.
using Fillings = std::vector<std::pair<std::string_view, std::string>>;
std::string filled(std::string_view text, const Fillings& fillings);

}  // namespace lgn::export_internal
