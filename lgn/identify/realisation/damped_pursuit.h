#pragma once

#include <map>
#include <optional>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/identify/realisation/modal_realisation.h"

namespace lgn {

/// Damped oscillations found one by one in samples at any times: matching pursuit with re-estimation (RELAX).
///
/// A grid of frequencies and dampings is searched for the oscillation, or the decay, that explains most of what the others
/// and the constants leave, with amplitudes and phases of its own in every channel of every run; it is refined between grid
/// points, and then those before it are, each with all others projected out. Needs no grid of times and no five samples
/// per period: thirty samples at random times can show six poles. Frequencies reach Nyquist's of the mean step, twice
/// that where times are not on a grid. Looks at the first 128 samples of runs, until 256 times have been seen.
class DampedPursuit {
 public:
  /// `step` is the mean one; `regular`: times stand on a grid, which tells no frequencies above Nyquist's.
  DampedPursuit(const Dataset& data, double step, bool regular, bool offset);

  /// Poles, `order` of them with conjugates; nothing where values are too few. A search of the grid is O(times² · order), and there
  /// are some order²/2 of them for up to 12 poles; beyond these, earlier poles are refined but not searched again. What was found on
  /// the way is kept for other orders, so that threads must not share a pursuit.
  std::optional<std::vector<ShapedPole>> modes(Index order) const;

 private:
  /// e^(−damping t) cos(frequency t + φ); a frequency of zero is one real pole.
  struct Oscillation {
    double damping, frequency;
    Index poles() const { return frequency > 0 ? 2 : 1; }
  };
  using Oscillations = std::vector<Oscillation>;
  enum class Kind { any, decay, oscillation };
  /// Columns e^(−damping t) cos(frequency t) and the same with sin, and their products with themselves and each other.
  struct Waves {
    Matrix cosines, sines;
    Vector cosine_squares, sine_squares, cross_products;
  };
  /// Channels of one run that have values at the same times, which are relative to the sizes of the channels.
  struct Signal {
    Index run;
    std::vector<Index> channels;
    Vector times;
    Matrix values;  ///< times × channels
    Waves grid;     ///< empty where the search does not look at it
  };
  /// Of one signal: an orthonormal basis of what is explained, and what is not.
  struct Rest {
    Matrix basis, residual;
  };

  static Waves waves(const Vector& times, const Oscillations& all);
  static Vector explained(const Waves& waves, const Rest& rest);
  Matrix columns(const Signal& signal, const Oscillations& all) const;
  std::vector<Rest> rest(const Oscillations& others) const;
  Vector explained(const Oscillations& all, const std::vector<Rest>& rest) const;
  Oscillation search_grid(const std::vector<Rest>& rest, Kind kind) const;
  Oscillation refine(Oscillation start, const std::vector<Rest>& rest) const;
  void add_one(Oscillations& all, Kind kind) const;
  void revise(Oscillations& all, std::size_t which) const;
  ComplexVector shape(const Oscillations& all, std::size_t which) const;

  Vector unit_;  ///< size of each channel
  bool offset_;
  std::vector<Signal> signals_;
  std::size_t searched_ = 0;  ///< how many of them the search looks at
  Index values_ = 0;          ///< in these
  double duration_ = 0;
  Oscillations grid_;
  mutable std::map<Index, Oscillations> way_{{0, {}}};  ///< by their number of poles
};

}  // namespace lgn
