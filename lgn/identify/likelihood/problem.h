#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/flow/condensed_flow.h"
#include "lgn/flow/flow.h"
#include "lgn/flow/forced_response.h"

namespace lgn {

/// What is known before the fit, besides the data.
struct ProblemOptions {
  /// What channels show at the beginning of every run, one column each; nothing where that is estimated.
  std::optional<Matrix> initial_states = {};
  /// ȳ, what channels show at rest; empty: zero. With `estimate_offset` more of it is estimated.
  Vector offset = {};
  bool estimate_offset = false;
  /// How the inputs of the data act; nothing where they do not. B is then estimated, and D with `feedthrough`, unless the
  /// structure has ports, whose θ says both.
  std::optional<InputTiming> inputs = {};
  bool feedthrough = false;
  /// 1 where an entry of B is estimated, 0 where it is zero, states × inputs; empty: all are estimated.
  Matrix drive_pattern = {};
  /// How a generator that varies in time is integrated.
  MagnusOptions magnus = {};
  /// Whether long runs of few states, complete and evenly sampled, may stand for themselves by fewer numbers
  /// (flow/condensed_flow.h). Only for weights that are those of channels.
  bool condense = false;
};

/// The misfit of a model to noisy samples, dynamics × observation × noise, with every run's initial state at its best:
///     ℓ(θ) = min_(ȳ, B, D) Σ_runs min_x₀ Σ_k Σ_c w_ck (y_c(t_k) − (C x(t_k; θ, x₀, B) + D u(t_k) + ȳ)_c)²
/// over the samples that are present (theory, Eq. 37). With w = 1/σ², σ the noise of a channel, −½ℓ
/// is the logarithm of the likelihood up to a constant. x₀ enters linearly and is eliminated run by
/// run (theory, Eq. 38; variable projection: Golub & Pereyra, SIAM J. Numer. Anal. 10:413, 1973;
/// the Jacobian is Kaufman's), then what all runs share, those of ȳ, B and D that are estimated (theory, Eq. 61): here and
/// nowhere else. Where the structure has ports, B and D are functions of θ like A and C.
class Problem {
 public:
  /// Copies the samples, unless they are condensed: then the data must outlive the problem, as `structure` must in any case.
  /// `noise`: one σ per channel.
  Problem(const Dataset& data, const Structure& structure, const Vector& noise,
          ProblemOptions options = {});

  const Structure& structure() const { return structure_; }
  Index channels() const { return structure_.channels(); }
  Index runs() const { return runs_; }
  /// Values that are present.
  Index values() const { return values_; }
  /// Entries of initial states that are estimated.
  Index unknown_initial_states() const {
    return known_initial_states_ ? 0 : structure_.dimension() * runs_;
  }
  /// Entries of ȳ, B and D that are estimated, in this order; those of a matrix column by column, and of B those too that
  /// are zero.
  Index unknown_shared() const {
    return offsets() + (ports_ != nullptr ? 0 : (structure_.dimension() + fed()) * inputs_);
  }
  /// Values less unknowns.
  double degrees_of_freedom() const;
  /// Σ w y² over the samples: ℓ of a model that predicts nothing.
  double power() const;

  /// Chooses the steps of the flow for A(t; θ); whether they have changed. Without it they are chosen at the first θ
  /// that is asked about. Nothing to choose where A is constant.
  bool plan(const Vector& theta, const MagnusOptions& magnus);

  /// What ȳ, B and D do to the weighted samples of a run that no initial state can do, and how x₀ answers to it.
  struct SharedColumns {
    Matrix samples, initial_states;
    Vector sizes;  ///< squared norms of what they do, initial states apart
  };
  /// ℓ at θ, and the initial states, offsets and input matrices that belong to it.
  struct Profile {
    Vector theta;
    double cost = 0;
    Matrix initial_states;  ///< x₀, one column per run
    Vector offset;          ///< the part of ȳ that was estimated
    Drive drive;            ///< B and D
    /// Of ȳ, B and D at this θ, and the columns of each run.
    Matrix shared_covariance;
    std::vector<std::shared_ptr<const SharedColumns>> shared_columns;
    /// Of runs that are sampled at the same times.
    std::vector<std::shared_ptr<const FlowPlan>> plans;
    std::vector<std::unique_ptr<const Flow>> flows;
    std::vector<std::unique_ptr<const ForcedResponse>> forced;  ///< empty without inputs
    std::vector<Matrix>
        roots;  ///< of each run: the Cholesky factor of its initial state's information
  };
  /// The cost is infinite, and the rest empty, where A(θ) is not finite.
  std::shared_ptr<const Profile> profile(const Vector& theta) const;

  /// Half the gradient and the Gauss–Newton Hessian of ℓ in θ, all that enters linearly eliminated: the information
  /// matrix where w = 1/σ². O(values p²). `shared_overlap` is how θ mixes with ȳ, B and D, p × unknown_shared().
  struct Normal {
    Matrix information;
    Vector gradient;
    Matrix shared_overlap;
  };
  Normal linearise(const Profile& profile) const { return linearise(profile, true); }
  /// The gradient alone, which costs O(values) products with A or its blocks.
  Vector gradient(const std::shared_ptr<const Profile>& profile) const;

  /// The weighted Jacobian of a run's samples in θ, without what enters linearly can do: parameters ×
  /// samples, channel by channel. `normal` is the problem linearised there.
  Matrix projected_jacobian(const Profile& profile, const Normal& normal, Index run) const;

  /// Whether some runs are condensed: weights, presence and projected_jacobian() are not those of samples then.
  bool condensed() const;
  /// The same problem with all samples as they are.
  Problem with_samples() const;

  /// The same quadratic model without its matrix, for many parameters.
  class Curvature;

  /// The most likely initial states at θ and the known offset; directions that the samples do not show are left at
  /// zero.
  Matrix initial_states(const Vector& theta) const;

  /// y − ŷ of every run, zero where a sample is missing.
  std::vector<Matrix> residuals(const Profile& profile) const;
  /// The same times √w.
  std::vector<Matrix> weighted_residuals(const Profile& profile) const;
  /// The sum of squared residuals of each channel, and how many there are.
  struct Squares {
    Vector sum, count;
  };
  Squares squares(const Profile& profile) const;
  /// 1 where a sample of the run is present, else 0.
  const Matrix& presence(Index run) const { return find(run).present; }
  /// √w of the run's samples, zero where one is missing.
  const Matrix& weights(Index run) const { return find(run).weight; }

  /// New weights w_ck = f_ck/σ_c²; `factors`, one matrix per run, may be empty for all ones.
  void weigh(const Vector& noise, const std::vector<Matrix>& factors = {});
  /// Other samples at the same times, one matrix per run; what was missing stays so.
  void replace_samples(const std::vector<Matrix>& outputs);

 private:
  struct Run {
    Index index;     ///< in the data
    Matrix outputs;  ///< zero where missing
    Matrix present;  ///< 1 or 0
    Matrix weight;   ///< √w, zero where missing
  };
  /// Runs that are sampled at the same times: since their beginning, or by the clock where A depends on it. One alone where
  /// there are inputs.
  struct Group {
    Vector times;  ///< empty where the runs are condensed
    std::vector<Run> runs;
    std::shared_ptr<ForcedPlan> forced = nullptr;  ///< null without inputs
    bool same_weights = false;
    double step = 0;                                            ///< of condensed runs; else 0
    std::shared_ptr<const BlockFunctions> functions = nullptr;  ///< of condensed runs
    Vector ones = {};  ///< what stands for a signal that is one; empty: ones
    Vector power,
        left;  ///< squares of each channel of condensed runs, and what the functions leave of them
    Index size() const { return static_cast<Index>(runs.size()); }
    /// Samples of each run, or the numbers that stand for them.
    Index samples() const { return runs.front().weight.cols(); }
    const Run& run(Index r) const { return runs[static_cast<std::size_t>(r)]; }
  };
  const Run& find(Index run) const {
    const auto [group, member] = places_[static_cast<std::size_t>(run)];
    return groups_[group].runs[member];
  }
  const std::shared_ptr<const FlowPlan>& plan_of(std::size_t group, const Vector& theta) const;
  /// The step of runs at these times if they can be condensed; else 0.
  double condensable(const std::vector<Index>& runs, const Vector& times) const;
  /// Condenses the runs of a group anew, by these functions.
  void condense(Group& group, std::shared_ptr<const BlockFunctions> functions) const;
  /// The flow of a condensed group, whose functions are chosen anew where trajectories have left them.
  std::unique_ptr<const Flow> condensed_flow(Group& group, const Vector& theta) const;
  /// Takes the functions back that a profile was made with.
  void return_to(const Profile& profile) const;
  /// Residuals of a run as samples, of a condensed group.
  Matrix sample_residuals(const Run& run, const Profile& profile) const;
  /// With the information, or the gradient alone.
  Normal linearise(const Profile& profile, bool with_information) const;
  /// Initial states of `count` runs of a group from the first on, which have the same weights, and their residuals.
  struct Elimination {
    Matrix root, initial_states, residuals;
    std::shared_ptr<const SharedColumns> shared_columns;
  };
  /// `whole`: the maps of all samples where the flow has them in one block; else empty.
  Elimination eliminate(const Group& group, Index first, Index count, const Flow& flow,
                        const ForcedResponse* forced, const Drive& known, Matrix whole) const;
  /// What ȳ, B and D do to the weighted samples of a run.
  Matrix shared_samples(const Group& group, const Run& run, const ForcedResponse* forced) const;
  /// Estimates ȳ, B and D from what the initial states leave, and corrects both.
  void eliminate_shared(Profile& profile, std::vector<Vector>& residuals) const;
  /// Gives the profile ȳ, B and D out of one vector.
  void take_shared(Profile& profile, const Vector& shared) const;
  /// What inputs and offset of the profile add to the outputs of a group's runs: l × K; empty where that is nothing.
  Matrix shared_outputs(const Profile& profile, std::size_t group) const;
  /// What inputs add by this B and D: l × K.
  Matrix forced_outputs(const ForcedPlan& plan, const ForcedResponse& forced,
                        const Drive& drive) const;
  /// ∂outputs/∂θ of what inputs do, transposed: p × count l, as that of ForcedResponse; with B and D where θ says them.
  Matrix forced_jacobian(const Profile& profile, std::size_t group, Index first, Index count) const;
  /// B and D where θ says them.
  Drive ports_drive(const Vector& theta) const;
  /// Columns of the profile's initial states that belong to these runs.
  Matrix initial_states_of(const Group& group, Index first, Index count,
                           const Profile& profile) const;

  /// Entries of ȳ that are estimated.
  Index offsets() const { return estimate_offset_ ? channels() : 0; }
  /// Channels that inputs act on directly.
  Index fed() const { return feedthrough_ ? channels() : 0; }

  const Structure& structure_;
  Index runs_, values_;
  std::optional<Matrix> known_initial_states_;
  Vector known_offset_;
  bool estimate_offset_;
  InputTiming timing_;
  bool feedthrough_;
  Index inputs_;                           ///< that act
  const PortHamiltonianStructure* ports_;  ///< null where B and D are estimated
  Matrix drive_pattern_;                   ///< 1 where an entry of B is estimated
  MagnusOptions magnus_;
  const Dataset* data_;  ///< of condensed runs; else null
  Vector channel_weights_;
  mutable std::vector<Group> groups_;
  std::vector<std::pair<std::size_t, std::size_t>>
      places_;  ///< of the runs: group, and place in it
  mutable std::vector<std::shared_ptr<const FlowPlan>> plans_;
};

/// Half the gradient of ℓ in θ and products with its Gauss–Newton Hessian. `problem` must outlive it, and keep its
/// weights; the profile is shared, and its flows are used again.
class Problem::Curvature {
 public:
  Curvature(const Problem& problem, std::shared_ptr<const Profile> profile);
  Curvature(const Curvature&) = delete;
  Curvature& operator=(const Curvature&) = delete;
  ~Curvature();
  const Vector& gradient() const { return gradient_; }
  /// Jᵀ J v, initial states eliminated. O(K n² + n³) for K samples.
  Vector product(const Vector& v) const;
  /// The diagonal of JᵀJ as if initial states were known. O(K p n²) where A is constant.
  Vector diagonal() const;
  /// Σ x xᵀ over all samples of the model.
  Matrix second_moment() const;

 private:
  struct Part;

  const Problem& problem_;
  const std::shared_ptr<const Profile> profile_;
  std::vector<Part> parts_;
  Vector gradient_;
};

/// First guess of every run's initial state: the first sample, a missing cell replaced by the next present
/// one of that channel, or by zero.
Matrix measured_initial_states(const Dataset& data);

}  // namespace lgn
