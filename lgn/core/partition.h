#pragma once

#include <memory>
#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/core/median.h"
#include "lgn/core/random.h"
#include "lgn/core/stop.h"

namespace lgn {

/// How rows of a large network lie on the processes that work on it, and what these must tell each other. This class is the
/// partition into one part: every row is here, and nothing has to be told. Others derive from it.
///
/// Elsewhere a process has rows of its own, a range in the order of the whole, between copies of the rows of others that couple
/// with them. Entries of the pattern belong to their rows; each parameter is one process' own, and others have copies. A vector of
/// unknowns begins with parameters, copies among them, and goes on with what belongs to own rows alone, a column of these after
/// the other.
///
/// All processes call each function together, and all get the same number: to the last bit that of one process alone, since an
/// iteration in single precision makes a tenth digit of a sixteenth.
class Partition {
 public:
  virtual ~Partition() = default;

  /// Own rows among all that are here, and where they begin in the whole of so many.
  struct Range {
    Index first, count, begin, whole;
  };
  virtual Range own(Index rows) const { return {0, rows, 0, rows}; }
  /// The states that are here in the order of rows; empty: in any order.
  virtual std::vector<Index> order() const { return {}; }

  /// Makes copies what their owners have: of rows of so many columns; of one number for each state; of entries, and of parameters.
  virtual void refresh_rows(double* /*rows*/, Index /*columns*/) const {}
  virtual void refresh_rows(float* /*rows*/, Index /*columns*/) const {}
  virtual void refresh_states(Vector& /*states*/) const {}
  virtual void refresh_entries(Vector& /*entries*/) const {}
  virtual void refresh_parameters(Vector& /*unknowns*/) const {}

  /// Over all processes: of one number from each; of vectors of unknowns, each counted once; of vectors over own rows.
  virtual double sum(double value) const { return value; }
  virtual double largest(double value) const { return value; }
  virtual double dot(const Vector& a, const Vector& b) const { return a.dot(b); }
  virtual double dot_of_rows(const Vector& a, const Vector& b) const { return a.dot(b); }
  /// ‖x‖ of a vector over all states that are here.
  virtual double norm_of_states(const Vector& x) const { return x.norm(); }
  /// How many unknowns, and the median of their values, of those that are begin … end − 1 here.
  virtual Index count(Index begin, Index end) const { return end - begin; }
  virtual double median(const Vector& unknowns, Index begin, Index end) const {
    return lgn::median({unknowns.data() + begin, unknowns.data() + end});
  }
  /// Of things that are here under such keys, how many there are on all processes under each.
  virtual std::vector<Index> totals(const std::vector<std::size_t>& /*keys*/,
                                    const std::vector<Index>& counts) const {
    return counts;
  }
  /// Root mean square of all values, from that of `present` ones here.
  virtual double root_mean_square(double here, Index /*present*/) const { return here; }

  /// Random numbers that an unknown, or a state, has in every partition.
  virtual void draw_signs(Random& random, Vector& unknowns, Index begin, Index end) const {
    for (Index k = begin; k < end; ++k) unknowns[k] = random.uniform() < 0.5 ? -1 : 1;
  }
  virtual Vector draw_states(Random& random, Index states) const { return random.normals(states); }

  /// A vector of unknowns that begins with so many parameters (or with none: of own rows alone), in the order of the whole, on
  /// the process that writes; empty on others. And back, from what shared() gave.
  virtual Vector gathered(const Vector& unknowns, Index /*parameters*/) const { return unknowns; }
  virtual Vector scattered(const Vector& whole, Index /*parameters*/) const { return whole; }
  /// What the process that writes has, on all.
  virtual Vector shared(const Vector& whole) const { return whole; }
  /// The partition of what is left when the parameters that `kept` marks by zeros are gone.
  virtual std::shared_ptr<const Partition> with_parameters(const Vector& kept) const;

  /// stop_point() on which all agree, and that before small pieces of work.
  virtual void stop_point() const { lgn::stop_point(); }
  virtual void stop_point(double work) const { lgn::stop_point(work); }
};

/// The partition into one part.
const std::shared_ptr<const Partition>& one_part();

}  // namespace lgn
