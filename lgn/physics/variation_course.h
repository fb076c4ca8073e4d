#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/dynamics/structure.h"
#include "lgn/flow/magnus_grid.h"

namespace lgn {

/// amplitude · sin(ω t + phase), with standard errors; NaN where one is not known. Time counts from
/// the origin of the basis, which is zero unless the data begin far from it.
struct HarmonicPart {
  Index frequency = 0;  ///< which one
  double amplitude = 0, amplitude_error = 0;
  double phase = 0, phase_error = 0;  ///< in (−π, π]
};

/// How one parameter of a generator runs in time.
struct EntryCourse {
  std::string name;
  bool varies = false;
  double mean = 0, mean_error = 0;  ///< over the times of the course
  Vector values, errors;            ///< at the times of the course
  std::vector<HarmonicPart> harmonics = {};
};

/// A(t) over the time that it was identified from, with standard errors (NaN where they are not known).
struct VariationCourse {
  Vector times;
  Matrix generators, errors;  ///< side by side, n × nK
  /// Frozen-time poles λ(A(t_k)): row i follows one pole through time, column k is a time.
  ComplexMatrix poles;
  Matrix re_errors, im_errors;  ///< of the poles
  std::vector<EntryCourse> entries;
};

/// Multipliers μ of a generator with period T, the eigenvalues of the map over one period, and
/// exponents log(μ)/T with imaginary parts in (−π/T, π/T]: what takes the place of poles
/// (theory, Eq. 58). All states decay if and only if every |μ| < 1.
struct Floquet {
  double period = 0;
  ComplexVector multipliers, exponents;
};

/// The course at `points` even times over [begin, end], by default as many as its waves need;
/// `covariance` of θ, if it is known.
VariationCourse find_course(const Structure& structure, const Vector& theta, double begin,
                            double end, const std::optional<Matrix>& covariance = {},
                            Index points = 0);

/// Nothing where A(t) does not repeat. Multipliers ascend in size, pairs side by side.
std::optional<Floquet> find_floquet(const Structure& structure, const Vector& theta, double begin,
                                    const MagnusOptions& magnus = {});

/// The mean of A(t): over one period from `begin` where it repeats within [begin, end], else over that; A itself where
/// it is constant.
Matrix mean_generator(const Structure& structure, const Vector& theta, double begin, double end);
/// ∂/∂θ_q of that mean, below one another, p n × n.
Matrix mean_directions(const Structure& structure, const Vector& theta, double begin, double end);

}  // namespace lgn
