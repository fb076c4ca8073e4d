#pragma once

#include <functional>
#include <map>
#include <string>

#include "lgn/core/linear_algebra.h"

namespace lgn::bench {

/// A piece of work whose time is measured. Making one writes its inputs to a folder, where the peer
/// reads them.
struct Claim {
  std::function<void()> work;                             ///< one evaluation
  std::function<std::map<std::string, Matrix>()> answer;  ///< what the last evaluation computed
};

/// Writes numbers column by column as raw doubles, to `folder`/`name`.f64.
void write_numbers(const std::string& folder, const std::string& name, const Matrix& values);

/// A thousand parametric bootstraps of mle_ladder6.
Claim bootstrap_1000_ladder6(const std::string& folder);
Claim csv_read(const std::string& folder);
/// Eight hidden states under two inputs, seen in two channels.
Claim driven_8(const std::string& folder);
Claim expm(const std::string& folder, Index n);
Claim expm_adjoint(const std::string& folder, Index n);
Claim gradient_ladder100(const std::string& folder);
/// The closed form of sd.
Claim identify_ladder100(const std::string& folder);
/// The structure, too, then the most likely parameters and all else that a model holds.
Claim identify_ladder100_auto(const std::string& folder);
/// The same, for the Python package to repeat.
Claim fit_ladder100(const std::string& folder);
/// Maximum likelihood of ltv-sd with 20 states.
Claim fit_varying_sd20(const std::string& folder);
/// Forty hidden states of so many samples of one channel.
Claim hidden40(const std::string& folder, Index samples);
/// LGN-SD of the paper's Exp 2, which varies in time, with n states.
Claim ltv_gradient(const std::string& folder, Index n);
/// A million samples of two channels, fitted.
Claim many_samples(const std::string& folder, const std::string& structure);
/// The same, read from a file of this format.
Claim many_samples_read(const std::string& folder, const std::string& ending);
Claim mle_ladder6(const std::string& folder);
/// 300 samples of four runs of a sparse circuit on a square of so many capacitors a side.
Claim sparse_flow(const std::string& folder, Index side);
/// dgemm with as many flops as gradient_ladder100 needs.
Claim same_flops(const std::string& folder);

}  // namespace lgn::bench
