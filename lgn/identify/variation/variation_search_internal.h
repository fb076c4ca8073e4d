#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lgn/identify/likelihood/problem.h"
#include "lgn/identify/residuals.h"
#include "lgn/identify/variation/find_variation.h"
#include "lgn/identify/variation/variation_blocks.h"

namespace lgn {

/// A modulated structure, fitted, and how good it is.
struct Variation {
  std::shared_ptr<const ModulatedStructure> structure;
  Fit fit;
  FitResiduals residuals;
  double criterion = 0;  ///< Bayesian information criterion
};

/// An entry that may vary with the functions of one group.
struct VariationBlock {
  Index entry = 0;
  std::vector<Index> functions;
};

/// The steps that searches for harmonics and for drift share.
class VariationSearch {
 public:
  VariationSearch(const Dataset& data, const FitOptions& options);
  VariationSearch(const VariationSearch&) = delete;
  VariationSearch& operator=(const VariationSearch&) = delete;

  const Dataset& data() const { return data_; }
  const FitOptions& options() const { return options_; }

  /// Whether the search has been asked to stop; after that nothing more is fitted.
  bool stopped() const { return stopped_; }
  /// Does a part of the search that ends early where it is asked to stop.
  void pursue(const std::function<void()>& part) const;
  /// Tells the observer; false where it asks to stop.
  bool report(const FitProgress& progress) const;
  /// The result, marked if the search was stopped before its end.
  Fit finish(Variation best) const;

  /// The fit from a start, judged. `thorough`: to convergence, else only as far as a choice needs.
  Variation fit(std::shared_ptr<const ModulatedStructure> structure, const Vector& theta,
                bool thorough, const std::string& stage) const;

  /// The quadratic model of a structure at θ as seen by the blocks.
  BlockModel model(const ModulatedStructure& structure, const Vector& theta,
                   const Variation& current, const std::vector<VariationBlock>& blocks) const;

  /// Makes entries constant again whose variation is not beyond its error, as long as the criterion
  /// does not rise.
  Variation prune(Variation current, const std::string& stage) const;

  /// What the data know about θ of the fit.
  Matrix information(const Variation& current) const;

  /// log N for N values: what an unknown must gain.
  double price() const;

 private:
  /// Initial states that were not estimated, and how the flow is integrated.

  const Dataset& data_;
  FitOptions options_;
  mutable bool stopped_ = false;  ///< set by the observer, whatever is being fitted
};

}  // namespace lgn
