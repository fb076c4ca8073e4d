#pragma once

#include "lgn/core/sparse_pattern.h"

namespace lgn {

/// Where the numerical range of a generator lies in the inner product of its energy: −decay ≤ Re ≤ 0, |Im| ≤ frequency.
struct SpectralBox {
  double decay = 0, frequency = 0;
};

/// θ → A(θ) on a sparsity pattern that does not depend on θ: what a structure is where a dense matrix has no place.
///
/// A change of A, and ∂ℓ/∂A, are numbers on the same pattern: one for each entry. Laws: ⟨pullback(θ, g), δ⟩ =
/// ⟨g, pushforward(θ, δ)⟩, and both are those of the structure. All cost O(entries).
class GeneratorPattern {
 public:
  virtual ~GeneratorPattern() = default;
  virtual const SparsePattern& pattern() const = 0;
  virtual Index parameters() const = 0;
  /// A(θ).
  virtual Vector values(const Vector& theta) const = 0;
  /// (∂A/∂θ) δ.
  virtual Vector pushforward(const Vector& theta, const Vector& delta) const = 0;
  /// (∂A/∂θ)ᵀ g.
  virtual Vector pullback(const Vector& theta, const Vector& g) const = 0;
  /// A box around the numerical range: its height by power iteration, with a margin of five parts in a hundred, or by row
  /// sums where these are less.
  virtual SpectralBox box(const Vector& theta) const = 0;
};

}  // namespace lgn
