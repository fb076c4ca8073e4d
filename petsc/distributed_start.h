#pragma once

#include "lgn/data/dataset.h"
#include "lgn/identify/sparse/sparse_start.h"
#include "petsc/row_partition.h"

namespace lgn::petsc {

/// What is known on rank 0 alone before the samples are looked at: O(states) memory there.
struct WholeNetwork {
  std::vector<NetworkNode> nodes;
  NetworkOptions options;
};

/// A network on a known topology in blocks of rows: rank 0 orders the states (Cuthill and McKee) and tells each rank its own. Rows are
/// regressed where they are; rank 0 makes the elements of the entries, as sparse_start.h does, and tells each rank those that touch its
/// rows.
class DistributedStart {
 public:
  DistributedStart(const Ranks& ranks, WholeNetwork whole, AskedToStop asked);

  /// The states of this rank's rows.
  const std::vector<Index>& own_states() const { return own_states_; }
  /// A start by windows of this width, for the samples of own states. Throws on all ranks or on none, Stopped too.
  SparseStart at(const Dataset& own, double width) const;

 private:
  SparseStart divided(const SparseStart& whole) const;
  /// The row of each state, on rank 0.
  std::vector<Index> rows_of_states() const;

  Ranks ranks_;
  WholeNetwork whole_;
  SparsePattern pattern_;                    ///< on rank 0
  std::vector<Index> order_;                 ///< on rank 0
  std::vector<std::vector<Index>> columns_;  ///< on rank 0, of each state
  std::shared_ptr<const RowPartition> sums_;
  std::vector<Index> own_states_;
  Index all_known_ = 0;  ///< own states, and behind them those of others on which own rows depend
  std::vector<std::vector<Index>> rows_;  ///< of each own row its columns among these
  std::shared_ptr<const Exchange> others_;
};

}  // namespace lgn::petsc
