#pragma once

#include <string>

namespace lgn {

/// Text as every format takes it: bytes that are no UTF-8, and characters that XML does not know
/// (control characters but tab and line ends), become U+FFFD.
std::string clean_text(const std::string& text);

/// Clean text with the five characters that markup reserves replaced.
std::string escape_markup(const std::string& text);

/// Colours from Okabe and Ito's set, which the colour-blind can tell apart: black, blue, vermilion,
/// green, purple, orange, sky blue, and from the start again.
const char* palette_colour(int index);

}  // namespace lgn
