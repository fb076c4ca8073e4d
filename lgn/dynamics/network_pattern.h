#pragma once

#include <vector>

#include "lgn/core/partition.h"
#include "lgn/dynamics/generator_pattern.h"
#include "lgn/dynamics/network.h"

namespace lgn {

/// The generator of a network on its pattern: every element has one, two or four entries, each ± its value over a storage.
class NetworkPattern final : public GeneratorPattern {
 public:
  /// Throws Error where stiffnesses have either sign: what keeps K ⪰ 0 then acts on all masses at once.
  explicit NetworkPattern(const NetworkStructure& structure,
                          std::shared_ptr<const Partition> partition = one_part());

  const SparsePattern& pattern() const override { return pattern_; }
  Index parameters() const override { return structure_.parameters(); }
  Vector values(const Vector& theta) const override;
  Vector pushforward(const Vector& theta, const Vector& delta) const override;
  Vector pullback(const Vector& theta, const Vector& g) const override;
  SpectralBox box(const Vector& theta) const override;

 private:
  /// What an element adds to an entry: sign · value / storage of the node.
  struct Term {
    SparsePattern::Place element, entry, node;
    double sign;
  };
  /// Whether a parameter moves A at θ: it does not below its bound, nor where a storage is as large as it may be.
  bool moves_element(const Vector& theta, Index element) const;
  bool moves_storage(const Vector& theta, Index node) const;
  Vector element_values(const Vector& theta) const;

  NetworkStructure structure_;
  std::shared_ptr<const Partition> partition_;
  SparsePattern pattern_;
  std::vector<Term> terms_;
  std::vector<SparsePattern::Place> kinematic_;  ///< the entries of q̇ = v, which are one
};

}  // namespace lgn
