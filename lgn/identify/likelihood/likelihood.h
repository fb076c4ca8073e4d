#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/flow/time_steps.h"

namespace lgn {

/// When a model's clock starts: with every run, or at t = 0 for all, where the generator varies.
enum class Clock { since_start, absolute };

/// The misfit of a generator to noisy samples, with every run's start at its best:
///     ℓ(A) = Σ_runs min_x₀ Σ_k Σ_c w_ck (x_c(t_k) − (exp(A (t_k − t_0)) x₀)_c)²
/// over the samples that are present (theory, Eq. 37). With w = 1/σ², σ the noise of a channel, −½ℓ
/// is the logarithm of the likelihood up to a constant. x₀ enters linearly and is eliminated run by
/// run (theory, Eq. 38; variable projection: Golub & Pereyra, SIAM J. Numer. Anal. 10:413, 1973;
/// the Jacobian is Kaufman's). Any other flow that is linear in x₀ can take the place of exp.
class Likelihood {
 public:
  /// Copies the samples. `noise`: one σ per channel. `starts`: known starts, one column per run;
  /// by default they are eliminated.
  Likelihood(const Dataset& data, const Vector& noise, const std::optional<Matrix>& starts = {},
             Clock clock = Clock::since_start);

  Index dimension() const { return dimension_; }
  Index runs() const { return runs_; }
  /// Values that are present.
  Index values() const { return values_; }
  /// Starts that are estimated, as a number of unknowns.
  Index start_unknowns() const { return known_starts_ ? 0 : dimension_ * runs_; }

  /// Runs that are sampled at the same times, by the clock, form a group.
  std::size_t groups() const { return groups_.size(); }
  const Vector& times(std::size_t group) const { return groups_[group].times; }

  /// Σ w x² over the samples: ℓ of a model that predicts nothing.
  double power() const;

  /// ℓ(A) and the starts that belong to it.
  struct Profile {
    double cost = 0;
    Matrix starts;             ///< one column per run
    std::vector<Matrix> maps;  ///< of each group: from x₀ to x(t_k), below one another
    std::vector<Matrix>
        start_roots;  ///< of each run: the Cholesky factor of its start's information
  };
  Profile profile(const Matrix& a) const;
  /// The same for the flow of a model: `maps` of a group as in Profile.
  using Maps = std::function<Matrix(std::size_t group)>;
  Profile profile(const Maps& maps) const;

  /// Half the gradient and the Gauss–Newton Hessian of ℓ along E_1 … E_p (below one another, p n ×
  /// n), starts eliminated: the information about the coefficients of these directions where w =
  /// 1/σ². O(values p²).
  struct Normal {
    Matrix information;
    Vector gradient;
  };
  Normal normal(const Matrix& a, const Matrix& directions, const Profile& profile) const;
  /// The same along p parameters of a model: derivatives of the states of a group that follow the
  /// starts, as SampledFlow::transposed_derivatives lays them out.
  using Derivatives = std::function<Matrix(std::size_t group, const Matrix& starts)>;
  Normal normal(const Derivatives& derivatives, Index p, const Profile& profile) const;

  /// The same quadratic model without its matrix, for many parameters.
  class Curvature;

  /// x − x̂ of every run, zero where a sample is missing.
  std::vector<Matrix> residuals(const Profile& profile) const;
  /// 1 where a sample of the run is present, else 0.
  const Matrix& presence(Index run) const { return find(run).present; }

  /// New weights w_ck = f_ck/σ_c²; `factors`, one matrix per run, may be empty for all ones.
  void weigh(const Vector& noise, const std::vector<Matrix>& factors = {});

 private:
  struct Run {
    Index index;     ///< in the data
    Matrix states;   ///< zero where missing
    Matrix present;  ///< 1 or 0
    Matrix weight;   ///< √w, zero where missing
  };
  struct Group {
    Vector times;
    TimeSteps steps;
    std::vector<Run> runs;
    bool same_weights = false;
    const Run& run(Index r) const { return runs[static_cast<std::size_t>(r)]; }
  };
  const Run& find(Index run) const;

  Index dimension_, runs_, values_;
  std::optional<Matrix> known_starts_;
  std::vector<Group> groups_;
};

/// Half the gradient of ℓ and products with its Gauss–Newton Hessian, as matrices that belong to
/// changes of A. `likelihood` must outlive it, and keep its weights.
class Likelihood::Curvature {
 public:
  Curvature(const Likelihood& likelihood, const Matrix& a, Profile profile);
  Curvature(const Curvature&) = delete;
  Curvature& operator=(const Curvature&) = delete;
  ~Curvature();
  const Matrix& gradient() const { return gradient_; }
  /// G with ⟨G, F⟩ = ⟨Jᵀ J E, F⟩ for all F, starts eliminated. O(K n² + n³) for K samples.
  Matrix product(const Matrix& e) const;
  /// Σ x̂ x̂ᵀ over all samples of the model.
  const Matrix& second_moment() const { return second_moment_; }

 private:
  struct Part;
  /// Σ_parts of the adjoint of the weighted residuals `pull`.
  Matrix pulled(const Part& part, const Matrix& pull) const;

  const Likelihood& likelihood_;
  const Profile profile_;
  std::vector<Part> parts_;
  Matrix gradient_, second_moment_;
};

}  // namespace lgn
