#pragma once

#include <string>

namespace lgn::studies {

// Sections of the page, in Markdown: each runs its studies and shows what was found beside what must hold.
std::string introduction();
std::string recovery_section();
std::string stiff_section();
std::string noise_section();
std::string coverage_section();
/// The same with coloured noise, a nonlinear stiffness, offsets, outliers, losses near zero.
std::string conditions_section();
/// Fewer channels than states: recovery beside the bound, coverage; records of one channel that are hard.
std::string hidden_section();
std::string hard_records_section();
std::string vibration_section();
/// Inputs: recovery beside the bound and coverage for held and linear inputs, even and uneven times, gaps.
std::string driven_section();
/// Inputs beside noise that is not white: coverage with and without an innovations form.
std::string coloured_section();
std::string coarse_section();
std::string outlier_section();
std::string hard_section();
std::string jitter_section();
/// Hundreds of states, all measured, beside dynamic mode decomposition.
std::string dense_systems_section();
/// Planned standard errors beside the scatter of fits to simulated records.
std::string plan_section();

}  // namespace lgn::studies
