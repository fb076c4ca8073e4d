#pragma once

#include <functional>
#include <memory>

#include "lgn/core/partition.h"
#include "lgn/core/sparse_pattern.h"
#include "lgn/dynamics/network.h"
#include "petsc/exchange.h"

namespace lgn::petsc {

/// Rows of the whole, in its order, in consecutive blocks: one for each rank, and who has which.
struct RowBlocks {
  std::vector<Index> start;  ///< of each rank's, and behind the last

  /// Blocks about as long as each other, of a multiple of `step` rows: products of blocks then round as those of the whole do.
  /// Throws Error for more ranks than there are steps.
  static RowBlocks even(Index rows, int ranks);
  Index rows() const { return start.back(); }
  int owner(Index row) const;
  static constexpr Index step = 16;
};

/// What of a network a rank works on: the states that are here, of the whole, ascending, and the row of each; the states of own rows, in
/// their order; which parameters of the whole are here, and whose they are.
struct PartOfNetwork {
  std::vector<Index> states, rows, own_states;
  std::vector<Index> parameters;
  std::vector<int> owners;
};

/// Asks on rank 0 whether the work should end, that can be done without or that an answer needs.
using AskedToStop = std::function<bool(bool can_be_done_without)>;

/// A partition by blocks of rows, over MPI. Copies are refreshed by messages to neighbours alone. Terms of a sum go to rank 0, which adds them
/// in the order of the whole: 8 bytes of each unknown for a sum, where a product with JᵀWJ moves thousands.
class RowPartition final : public Partition {
 public:
  /// Before the elements are known: sums alone, over such own rows.
  RowPartition(const Ranks& ranks, RowBlocks blocks, AskedToStop asked);
  /// `pattern` is that of the states that are here; `whole`, on rank 0, the network that all ranks together have.
  RowPartition(const RowPartition& sums, PartOfNetwork part, const SparsePattern& pattern,
               std::shared_ptr<const NetworkStructure> whole);

  Range own(Index rows) const override;
  std::vector<Index> order() const override { return order_; }
  void refresh_rows(double* rows, Index columns) const override;
  void refresh_rows(float* rows, Index columns) const override;
  void refresh_states(Vector& states) const override;
  void refresh_entries(Vector& entries) const override;
  void refresh_parameters(Vector& unknowns) const override;
  double sum(double value) const override;
  double largest(double value) const override;
  double dot(const Vector& a, const Vector& b) const override;
  double dot_of_rows(const Vector& a, const Vector& b) const override;
  double norm_of_states(const Vector& x) const override;
  Index count(Index begin, Index end) const override;
  double median(const Vector& unknowns, Index begin, Index end) const override;
  std::vector<Index> totals(const std::vector<std::size_t>& keys,
                            const std::vector<Index>& counts) const override;
  double root_mean_square(double here, Index present) const override;
  void draw_signs(Random& random, Vector& unknowns, Index begin, Index end) const override;
  Vector draw_states(Random& random, Index states) const override;
  Vector gathered(const Vector& unknowns, Index parameters) const override;
  Vector scattered(const Vector& whole, Index parameters) const override;
  Vector shared(const Vector& whole) const override;
  std::shared_ptr<const Partition> with_parameters(const Vector& kept) const override;
  void stop_point() const override;
  void stop_point(double work) const override;

  const Ranks& ranks() const { return ranks_; }
  const RowBlocks& blocks() const { return blocks_; }
  const PartOfNetwork& part() const { return part_; }
  const std::shared_ptr<const NetworkStructure>& whole() const { return whole_; }
  const Exchange& rows_of_others() const { return *rows_; }

 private:
  void exchange_parameters();
  /// Σ of one number for each own unknown from `begin` on, or for each own row, in the order of the whole.
  double ordered_sum(const Vector& terms, Index begin) const;
  bool is_own(Index unknown) const {
    return unknown >= std::ssize(part_.parameters) ||
           part_.owners[static_cast<std::size_t>(unknown)] == ranks_.rank();
  }
  /// The place of an unknown in the vector of the whole.
  Index place(Index unknown) const;
  /// Σ f(k) over own unknowns begin … end − 1 of all ranks.
  template <class Function>
  long double sum_over(Index begin, Index end, const Function& f) const;

  Ranks ranks_;
  RowBlocks blocks_;
  AskedToStop asked_;
  PartOfNetwork part_;
  Index first_ = 0, all_parameters_ = 0;
  std::shared_ptr<const NetworkStructure> whole_;
  std::vector<Index> order_;
  std::shared_ptr<const Exchange> rows_, states_, entries_, parameters_;
  mutable std::vector<std::int64_t> places_;  ///< of the terms of sums over all unknowns, on rank 0
  mutable std::vector<std::int64_t> row_places_;
};

}  // namespace lgn::petsc
