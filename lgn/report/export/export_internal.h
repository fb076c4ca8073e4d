#pragma once

// What the exporters of all languages share; not installed.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lgn/model/model.h"

namespace lgn::export_internal {

/// How a language writes what its template asks for.
struct Syntax {
  std::string (*text)(const std::string& text);
  std::string (*vector)(const Vector& values);
  std::string (*matrix)(const Matrix& matrix);
  Index first_index;
};

/// What stands in the place of each `@name@` of a template.
using Fillings = std::vector<std::pair<std::string_view, std::string>>;

/// The text of a model from the template of a language: with `own` in the first place, then what all
/// languages have. Lines from `@if NAME…@` to `@end@`, or the rest of that line where there is one, are
/// left out unless one of the names holds:
///     constant, varying      whether A does
///     waves, cubics, saturation     the functions of time φ
///     skew, sd, scaled-sd, psd, metric, full      how A is made of u = C φ(t)
///     softplus, clip      u that cannot be negative; clip only where such a u varies
///     corners      times at which A(t) is not smooth
/// Throws Error where A or a start is not finite, or varies in a way that no script knows.
std::string rendered(std::string_view text, const Model& model, const Syntax& syntax, Fillings own);

/// Throws Error where A or a start is not finite.
void check_finite(const Model& model);

/// A(t) as all scripts have it: u(t) = C φ(t), and A is what the structure makes of u.
struct Course {
  enum class Functions {
    waves,   ///< 1, then cos and sin of ω_k (t − origin)
    cubics,  ///< 1, v, v², v³ in the span of two knots where t is, v ∈ [−1, 1]; 0 in others
    saturation  ///< 1 and tanh(t / τ)
  } functions = Functions::waves;
  Vector frequencies;
  double origin = 0;
  Vector knots;
  double tau = 1;
  Matrix coefficients;
  std::string structure = "full";
  std::vector<Index> bounded;  ///< entries of u that cannot be negative
  bool softplus = false;       ///< whether they are log(1 + exp(u)) rather than max(u, 0)
  bool clipped = false;        ///< whether one of them varies and is max(u, 0)
};
/// Throws Error for what no script knows.
Course describe_course(const ModelVariation& variation);

/// The shortest text that reads back to the same bits, and to a real number in every language: 1.0,
/// not 1.
std::string exact(double value);
/// Numbers with commas between them.
std::string listed(const Vector& values);
/// Rows, each between `open` and `close`, with `between` between them.
std::string listed(const Matrix& rows, std::string_view open, std::string_view close,
                   std::string_view between);

/// One line of text: what is no UTF-8, and control characters, become U+FFFD or spaces.
std::string one_line(const std::string& text);
/// "6 states of structure sd, found by lgn 0.1.0".
std::string title(const Model& model);
/// Real and imaginary parts.
std::pair<Vector, Vector> poles(const Model& model);

}  // namespace lgn::export_internal
