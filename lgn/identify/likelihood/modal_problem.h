#pragma once

#include <memory>
#include <vector>

#include "lgn/data/dataset.h"

namespace lgn {

/// Poles, each complex one with its conjugate somewhere, and what channels show of their modes (channels × poles).
struct ModeGuess {
  ComplexVector poles;
  ComplexMatrix shapes;
};

/// The misfit of a free generator of many states in the coordinates of its modes:
///     ℓ = min over v_k, ȳ of Σ_runs Σ_j ‖y_r(t_j) − ȳ − Σ_k v_k a_kr exp(λ_k t_j)‖², channels in units of their noise
/// (theory, Eqs. 81 and 82). A generator of n² parameters and the initial states of m runs are n shapes v_k, which enter linearly and are
/// eliminated, n poles, and n (m − 1) amplitudes, the largest of each mode being one: n m unknowns instead of n² + n m. Where A has
/// n distinct poles it is the likelihood of FullStructure (Problem); where fewer modes show than there are channels it is that of
/// those modes. All channels share one design of exponentials (Golub & Pereyra, SIAM J. Numer. Anal. 10:413, 1973), so samples must
/// be complete, and all samples of a channel weigh the same.
///
/// Unknowns: −Re λ of every pair, Re a of their free amplitudes, run by run; the same with Im λ and Im a; then −λ of real poles and
/// their free amplitudes.
class ModalProblem {
 public:
  /// Which poles are pairs, which amplitudes are one, and the first unknowns come from a guess, whose amplitudes are fitted; a
  /// decay below `least_decay` becomes that. Copies the samples. With `offset` ȳ is estimated, else it is zero.
  ModalProblem(const Dataset& data, const Vector& noise, bool offset, const ModeGuess& guess,
               double least_decay);

  const Vector& start() const { return start_; }
  /// Lower bounds: that of decays, and none for the others.
  Vector lower(double least_decay) const;
  Index unknowns() const { return start_.size(); }
  Index modes() const { return 2 * pairs_ + reals_; }
  Index samples() const { return samples_.rows(); }
  /// Values less unknowns, those that are eliminated included.
  double degrees_of_freedom() const;
  /// Σ y² in units of the noise.
  double power() const { return samples_.squaredNorm(); }
  void weigh(const Vector& noise);

  /// ℓ, and what it was found with. It is infinite, and the rest empty, where exponentials leave the range of doubles or
  /// cannot be told from one another.
  struct Profile {
    Vector unknowns;
    double cost = 0;
    ComplexMatrix pairs;  ///< exp(λ t) of each pair, samples of all runs below one another
    Matrix reals;         ///< the same of real poles
    Matrix q;             ///< an orthonormal basis of all time courses
    Matrix shapes;  ///< rows: what channels show of Re z and Im z of each pair, of real modes, ȳ
    Matrix residuals;  ///< samples × channels
  };
  /// O(K n²) for K samples.
  std::shared_ptr<const Profile> profile(const Vector& unknowns) const;

  /// Half the gradient and the Gauss–Newton Hessian of ℓ, shapes eliminated. O(K n² m²).
  struct Normal {
    Vector gradient;
    Matrix information;
  };
  Normal linearise(const Profile& profile) const;

  /// The same in terms of states: the generator, initial states about rest (a column for each run) and ȳ (empty where it is not
  /// estimated). Directions of the channels in which no mode shows decay as the fastest mode does. Not finite where modes
  /// cannot be told apart by their shapes.
  struct System {
    Matrix generator, initial_states;
    Vector offset;
  };
  System system(const Profile& profile) const;

 private:
  /// One that is not fixed.
  struct Amplitude {
    Index mode, run;
  };
  Index runs() const { return static_cast<Index>(times_.size()); }
  Index columns() const { return modes() + (offset_ ? 1 : 0); }
  Index complex_unknowns() const { return pairs_ + std::ssize(pair_amplitudes_); }
  /// All amplitudes, those that are one included: modes × runs.
  ComplexMatrix amplitudes_of_pairs(const Vector& unknowns) const;
  Matrix amplitudes_of_reals(const Vector& unknowns) const;
  ComplexMatrix fitted_amplitudes(const ComplexVector& poles, const ComplexMatrix& shapes) const;
  /// Columns that a run's samples act on: first and count, of complex unknowns (twice) and of real ones.
  struct Range {
    Index first, count;
  };
  std::vector<Range> active(Index run) const;
  /// Derivatives of the time courses of `count` samples of a run from the first on: a column for each unknown, Re and Im of complex
  /// ones; zero where the run does not depend on it.
  Matrix slopes(const Profile& profile, Index run, Index first, Index count) const;

  std::vector<Vector> times_;  ///< of each run, since its beginning
  std::vector<Index> first_;   ///< row of each run's first sample
  Matrix samples_;             ///< K × channels, in units of the noise
  Vector noise_;
  bool offset_;
  Index pairs_ = 0, reals_ = 0;
  std::vector<Amplitude> pair_amplitudes_, real_amplitudes_;  ///< run by run
  Vector start_;
};

}  // namespace lgn
