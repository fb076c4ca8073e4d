#pragma once

// What the exporters of all languages share; not installed.

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lgn/model/model.h"

namespace lgn::export_internal {

/// How a language writes what its template asks for.
struct Language {
  std::string_view open, close;          ///< of an array
  std::string_view row_open, row_close;  ///< of a row of a matrix
  std::string_view next_row, next_line;
  std::string_view empty;  ///< a matrix without entries
  std::string_view entry;  ///< of a vector
  Index first_index;
  std::string_view power, product;  ///< of every entry; of matrices
  std::string (*quoted)(const std::string& text);

  std::string vector(const Vector& values) const;
  std::string column(const std::vector<std::string>& expressions) const;
  std::string matrix(Index rows, Index columns,
                     const std::function<std::string(Index, Index)>& entry_at) const;
  std::string matrix(const Matrix& values) const;
};

/// What stands in the place of each `@name@` of a template.
using Marks = std::map<std::string, std::string, std::less<>>;

/// The text of a model from a template, with marks of its own and those of all languages. Lines from
/// `@if NAME@` to `@end@`, or the rest of that line where there is one, are left out where there is no
/// mark of that name.
std::string rendered(std::string_view text, const Model& model, const Language& language,
                     Marks marks);

/// A(t) as all scripts have it, made of u(t) = `coefficients` `functions`(`v`(t)): `square`, which is A
/// but for `lower` (L, A = square − L Lᵀ), `root` (G, A = (square − L Lᵀ) G Gᵀ) and `scale` (s, A_ij =
/// s_i square_ij / s_j). It is not smooth at `knots` and where `clipped` entries of u change sign.
/// Throws Error for what no script knows.
void add_course(const ModelVariation& variation, const Language& language, Marks& marks);

/// Throws Error where A, C or an initial state is not finite.
void check_finite(const Model& model);
/// The same, and where the law is not linear.
void check_linear(const Model& model);

/// ẋ of a nonlinear law, x counted from the offset, as an expression for each state, a column; and the offset.
void add_law(const Model& model, const Language& language, Marks& marks);

/// The shortest text that reads back to the same bits, and to a real number in every language: 1.0,
/// not 1.
std::string exact(double value);
/// Real and imaginary parts.
std::pair<Vector, Vector> poles(const Model& model);
/// One line of text: what is no UTF-8, and control characters, become U+FFFD or spaces.
std::string one_line(const std::string& text);

}  // namespace lgn::export_internal
