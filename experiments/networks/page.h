#pragma once

#include <string>

namespace lgn::studies {

// Sections of the page on networks, in Markdown: each runs its studies and shows what was found beside what must hold.
std::string networks_introduction();
std::string ladder_section();
std::string clean_section();
std::string elements_section();
std::string topologies_section();
std::string dense_section();

}  // namespace lgn::studies
