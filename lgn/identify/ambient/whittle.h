#pragma once

#include <memory>
#include <vector>

#include "lgn/dynamics/modal.h"
#include "lgn/identify/ambient/ambient_record.h"

namespace lgn {

/// Unknowns of random vibration: θ of the modes and what channels see of them, G and R(0).
struct AmbientParameters {
  Vector theta;
  Matrix g;         ///< states × channels
  Matrix variance;  ///< symmetric, channels × channels
};

/// Whittle's likelihood of random vibration (Whittle, Ark. Mat. 2:423, 1953), debiased (Sykulski et al., Biometrika 106:251, 2019):
///     ℓ(φ) = Σ_cells m (log det S(ω) + tr S(ω)⁻¹ Ī),  S(ω) = R(0) + C T(ω) G + (C T(ω) G)ᴴ,
///     T(ω) = Σ_0<k<N (1 − k/N) exp(A k h) exp(−iω k h) = Z(I−Z)⁻¹ − Z(I−Zᴺ)(I−Z)⁻²/N,  Z = exp(A h − iω h),
/// the expectation of the periodogram of N samples where R(τ) = C exp(Aτ) G (theory, Eq. 67 and 68). Lines of a periodogram are independent, nearly,
/// so that −ℓ is the logarithm of the likelihood, and the information matrix is
///     F_ab = Σ_cells m tr(S⁻¹ ∂_aS S⁻¹ ∂_bS).
/// Nothing but the positive definiteness of S at the cells is asked of φ; the likelihood is −∞ beyond. O(cells l² p²) for p unknowns.
class WhittleLikelihood {
 public:
  /// `structure` must outlive it.
  WhittleLikelihood(std::vector<SpectralCell> cells, const ModalStructure& structure, double step,
                    Index samples);

  /// θ, the columns of G, the lower triangle of R(0) column by column.
  Index unknowns() const;
  Vector packed(const AmbientParameters& parameters) const;
  AmbientParameters unpacked(const Vector& phi) const;

  /// 2ℓ; infinite where S is not positive definite.
  double cost(const Vector& phi) const;
  /// Half the gradient of 2ℓ, and the information matrix.
  struct Normal {
    Vector gradient;
    Matrix information;
  };
  Normal linearise(const Vector& phi) const;

  /// What S is made of at a cell.
  struct CellResponse {
    ComplexMatrix c_t, t_g;   ///< C T(ω) and T(ω) G
    ComplexMatrix whitening;  ///< L⁻¹ for S = L Lᴴ
  };
  std::vector<CellResponse> responses(const Vector& phi) const;
  /// How far periodograms are from S.
  struct Misfit {
    /// Of each channel: the mean of m (Ī/S − 1)² over cells, which is 1 where the model is right.
    Vector excess;
    /// Root mean square of Ī − S beyond what chance makes of it (two standard deviations of its square), over that of Ī.
    double relative = 0;
  };
  Misfit misfit(const Vector& phi) const;
  const std::vector<SpectralCell>& cells() const { return cells_; }
  /// Real numbers that were seen.
  double values() const;

 private:
  struct Blocks;
  struct Place;
  std::unique_ptr<const Blocks> blocks(const Vector& theta, bool slopes) const;
  /// S and what it is made of, at a frequency; whether S is positive definite.
  bool evaluate(const Blocks& blocks, const AmbientParameters& at, const Matrix& c,
                double frequency, bool slopes, Place& place) const;

  std::vector<SpectralCell> cells_;
  const ModalStructure& structure_;
  double step_;
  Index samples_;
};

}  // namespace lgn
