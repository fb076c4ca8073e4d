#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "lgn/dynamics/modal.h"
#include "lgn/identify/fit.h"
#include "lgn/identify/fit_options.h"
#include "lgn/identify/realisation/candidate_realisations.h"

namespace lgn {

/// These options with so few steps as tell candidates apart: those with states that nothing determines would take hundreds.
FitOptions enough_to_compare(FitOptions options);

/// Realisations of a data set and of parts of it, each made once, whatever is assumed of holds, delays and feedthrough. Parts are
/// told apart by their number of samples.
class SharedRealisations {
 public:
  std::shared_ptr<const CandidateRealisations> of(const Dataset& data, const FitOptions& options);

 private:
  std::map<Index, std::shared_ptr<const CandidateRealisations>> made_;
};

/// Fits of more, or fewer, states than channels: A in the blocks of its modes, C with it (modal.h).
///
/// Starts are realisations (realisation.h; subspace_realisation.h where there are inputs), ranked by the likelihood with all that enters linearly at its best; the best two are
/// followed to its maximum, where they lead apart. Long records are fitted to some of their samples first.
class HiddenFits {
 public:
  /// `data` must outlive it. The offset is estimated unless the options forbid it. `shared`: of the same data and parts of them, with
  /// inputs or without; nothing where realisations serve this once.
  HiddenFits(const Dataset& data, const FitOptions& options, SharedRealisations* shared = nullptr);

  /// The most likely system of so many states; nothing where data are too short or none is found. `also`: more starts.
  std::optional<Fit> fit(Index states, const std::vector<ModalSystem>& also = {}) const;
  /// The same by `few()` alone.
  std::optional<Fit> quick_fit(Index states, const std::vector<ModalSystem>& also = {}) const;
  /// Every so many of the samples of a long record, and how many that are.
  const Dataset& few() const { return few_ ? *few_ : data_; }
  Index stride() const { return stride_; }

  /// Most states that samples are enough for.
  Index most_states() const;
  /// How many singular values of the Hankel matrix stand out of its noise. Where that matrix sees interpolated samples, the even
  /// number below that whose start has the least criterion.
  Index suggested_states() const;
  const CandidateRealisations& realisation() const { return *realisations_; }
  /// Systems of so many states to begin with, the likeliest first.
  std::vector<ModalSystem> starts(Index states) const;
  bool lossless() const { return lossless_; }
  bool estimates_offset() const { return options_.offset == Offset::estimate; }

 private:
  std::vector<ModalSystem> realised(Index states, std::vector<ModalSystem> also = {}) const;
  std::vector<ModalSystem> ranked(const std::vector<ModalSystem>& starts) const;
  double cost_of(const ModalSystem& start) const;
  Index likeliest_start(Index most) const;

  const Dataset& data_;
  FitOptions options_;
  bool lossless_;
  Vector sizes_;
  Index stride_;
  std::optional<Dataset> few_;
  std::shared_ptr<const CandidateRealisations> realisations_;
};

}  // namespace lgn
