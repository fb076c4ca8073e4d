#pragma once

#include <cstdint>
#include <functional>

#include "petsc/ranks.h"

namespace lgn::petsc {

/// Numbers that this rank wants of others again and again: each rank packs what its neighbours asked for once and sends it to
/// these alone. Cost: a message to and from every neighbour.
class Exchange {
 public:
  /// Something of another rank: whose, by which key that knows it, and where its copy goes here.
  struct Wanted {
    int owner;
    std::int64_t key;
    Index target;
  };
  /// `find` gives the place of a key that others ask for.
  Exchange(const Ranks& ranks, const std::vector<Wanted>& wanted,
           const std::function<Index(std::int64_t)>& find);

  /// Places of `columns` numbers each: those asked for, of `from`, go to the targets in `to`.
  template <class Scalar>
  void run(const Scalar* from, Index columns, Scalar* to) const;

  /// Numbers of one column that a run sends and receives here.
  Index sent() const { return total(out_); }
  Index received() const { return total(in_); }
  std::size_t neighbours() const { return in_.size(); }

 private:
  struct Neighbour {
    int rank;
    std::vector<Index> places;
  };
  static Index total(const std::vector<Neighbour>& neighbours);

  MPI_Comm comm_;
  std::vector<Neighbour> out_, in_;
  mutable std::vector<char> buffer_;
};

}  // namespace lgn::petsc
