#pragma once

#include <string>

namespace lgn::studies {

// Sections of the page on generators that vary in time, in Markdown: each runs its studies and shows what was found beside
// what must hold.
std::string varying_introduction();
std::string orders_section();
std::string kept_section();
std::string drift_section();
std::string choice_section();

// Of page_paper.cpp: the paper's own experiments.
std::string modulation_section();
std::string modulation_noise_section();
std::string features_section();
std::string constants_section();

}  // namespace lgn::studies
