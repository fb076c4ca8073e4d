#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/dynamics/structure.h"

namespace lgn {

/// One eigenvalue of the generator, λ = −ζω_n ± iω_n√(1−ζ²) (theory, Eq. 49), in the words of
/// the field.
///
/// Angular quantities are radians per unit of time. Values that a pole does not have are NaN: the
/// damping ratio and quality of a pole at zero, the time constant of one on the imaginary axis.
struct Mode {
  Complex pole;
  double natural_frequency = 0;  ///< ω_n = |λ|
  double frequency_hz = 0;       ///< ω_n/2π, per second; per unit of time where that is unknown
  double damping_ratio = 0;      ///< ζ = −Re λ/|λ|
  double time_constant = 0;      ///< τ = −1/Re λ; negative for a mode that grows
  double quality = 0;            ///< Q = 1/(2ζ)
  /// Right eigenvector as channels show it, unit length, its largest entry real and positive.
  ComplexVector shape;
  /// Standard errors of its real and imaginary parts beside the channel where the mode is largest; empty: not known.
  ComplexVector shape_errors = {};
  /// |w_i v_i|, participation of state i (theory, Eq. 50); where states are seen through C, the share of each channel in
  /// the shape, |v_c|². Sums to 1.
  Vector participation;
  /// 1/|wᴴv| of unit eigenvectors: how far the pole moves when A moves by a little. 1 for a normal
  /// matrix, infinite for a defective pole.
  double condition = 1;

  /// Standard errors of the same quantities, NaN where one is not known. Nothing was computed where
  /// there is no value.
  struct Errors {
    double re = 0, im = 0, natural_frequency = 0, frequency_hz = 0, damping_ratio = 0,
           time_constant = 0;
    double correlation = 0;  ///< of the errors of Re λ and Im λ
  };
  std::optional<Errors> se = {};
  /// Where the structure did not let the mode decay, or hardly: how fast it could by the data, −Re λ at most, with the
  /// confidence of the model's intervals.
  std::optional<double> decay_below = {};
  /// Whether the data determine this mode; nothing where that was not examined.
  std::optional<bool> identifiable = {};
  std::string reason = {};  ///< why not
  /// Why a mode that the data determine may be none of the system: a tone of others, an artefact of sampling. Empty: no doubt.
  std::string spurious = {};

  bool oscillates() const { return pole.imag() != 0; }
  /// The limits that belong to `decay_below`; nothing where there is none.
  std::optional<double> damping_ratio_below() const {
    return decay_below && natural_frequency > 0
               ? std::optional(*decay_below / std::hypot(pole.imag(), *decay_below))
               : std::nullopt;
  }
  std::optional<double> time_constant_above() const {
    return decay_below ? std::optional(1 / *decay_below) : std::nullopt;
  }
};

/// What follows from a pole alone, in a generator that promises so much; without shape and participation.
Mode mode_at(Complex pole, const Guarantee& promise = {}, const std::string& time_unit = "s");

/// Gives a mode its shape, participation and condition, by its right eigenvector of unit length and the left one with wᴴv = 1.
void set_vectors(Mode& mode, const ComplexVector& right, const ComplexVector& left);

/// All modes of A, slowest oscillation first, conjugate pairs side by side. Cost: one
/// eigendecomposition, 25 n³.
///
/// Poles keep what the structure of A promises: where the eigenvalue solver's rounding puts Re λ
/// above zero (or off it, where energy is conserved), it is zero. `time_unit`: see seconds_in.
std::vector<Mode> find_modes(const Matrix& a, const Guarantee& promise = {},
                             const std::string& time_unit = "s");

/// Each mode that oscillates together with its conjugate, of which only the upper one is given.
std::vector<Mode> with_conjugates(const std::vector<Mode>& modes);

/// Gives modes their shapes and participations as channels show them through C.
void show_in_channels(std::vector<Mode>& modes, const Matrix& c);

/// Seconds in a unit of time: s, ms, us, µs, ns, min, h or d; nothing for another word.
std::optional<double> seconds_in(const std::string& time_unit);

}  // namespace lgn
