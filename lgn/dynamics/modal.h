#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "lgn/dynamics/structure.h"

namespace lgn {

/// A stable system in the coordinates of its modes, seen through C: A is block diagonal with
///     [[0, w], [−w, −d]], d ≥ 0, for a pair of poles, the roots of z² + d z + w², and one [−s], s ≥ 0, where n is odd.
///
/// Every block is skew minus a non-negative diagonal, so that A is S − D: stable for every θ. A block passes smoothly from a
/// complex pair through the double pole to two real ones, so that the number of states alone fixes the structure.
///
/// Channels see combinations of the states. A scale, and for pairs a phase, may move between C and the initial state of a
/// block; they are fixed by its reference channel, in which the block shows its first state: that row of C is (1, 0). The
/// other rows are parameters. With one channel C is fixed by this, and θ are the rates alone.
///
/// θ: (w, d) of every pair, s, then the rows of C, block by block.
class ModalStructure final : public ConstantStructure {
 public:
  /// Of `states` states in as many channels; `references`: the channel of each block, pairs first. A lossless one has no d,
  /// and an even number of states.
  ModalStructure(Index states, Index channels, std::vector<Index> references,
                 bool lossless = false);

  /// A pair, or the single state at the end.
  struct Block {
    Index state = 0;      ///< the first of its states
    bool pair = true;     ///< whether it has two
    Index reference = 0;  ///< its channel
    Index rates = 0;      ///< where θ has w and d, or s
    Index rows = 0;       ///< where θ has what the other channels see of it
    Index size() const { return pair ? 2 : 1; }
  };
  const std::vector<Block>& blocks() const { return blocks_; }
  bool lossless() const { return lossless_; }
  /// w and d of a pair, 0 and s of the single state.
  std::pair<double, double> rates(const Block& block, const Vector& theta) const;

  std::string name() const override { return lossless_ ? "skew" : "modal"; }
  Index dimension() const override { return n_; }
  Index channels() const override { return channels_; }
  Observation observation(const Vector& theta) const override;
  bool measures_states() const override { return false; }
  Guarantee guarantee() const override { return {true, true, lossless_}; }
  Index parameters() const override { return parameters_; }
  Index free_parameters() const override { return parameters_; }
  std::vector<std::string> parameter_names() const override;
  Matrix generator(const Vector& theta) const override;
  Vector pullback(const Vector& theta, const Matrix& g) const override;
  Matrix pushforward(const Vector& theta, const Vector& delta) const override;
  /// With the poles of A, those that grow reflected, and C that sees the first state of every block in all channels.
  Vector project(const Matrix& a) const override;
  Vector random_start(Random& random) const override;
  Vector lower_bounds() const override;
  std::vector<NamedValue> named_values(const Vector& theta) const override;
  bool common_unit() const override { return false; }
  const ModalStructure* modal() const override { return this; }

 private:
  Index n_, channels_, parameters_;
  bool lossless_;
  std::vector<Block> blocks_;
};

/// A modal structure and its θ.
struct ModalSystem {
  std::shared_ptr<const ModalStructure> structure;
  Vector theta;
};

/// Its poles, conjugates side by side, and what channels see of their modes (channels × poles), each 1 in its reference.
struct ModalPoles {
  ComplexVector poles;
  ComplexMatrix shapes;
};
ModalPoles modal_poles(const ModalStructure& structure, const Vector& theta);

/// The system that has these poles, conjugates side by side, and shows them in channels by these shapes (channels × poles).
/// Reference channels are where a mode is largest in units of `sizes`. Real poles make pairs, neighbours by size; poles that
/// grow are reflected. Throws Error where poles and shapes do not match.
ModalSystem modal_system(const ComplexVector& poles, const ComplexMatrix& shapes,
                         const Vector& sizes, bool lossless = false);

}  // namespace lgn
