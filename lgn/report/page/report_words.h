#pragma once

#include <string>
#include <vector>

#include "lgn/model/model.h"
#include "lgn/physics/signal_content.h"

namespace lgn {

struct DrawnRuns;

/// What was found, in a sentence or two: "Three damped oscillations; the slowest rings at 0.397 Hz and
/// loses half its energy in 50 s."
std::string found_in_words(const Model& model);

/// One reason to trust a model, or to be careful with it.
struct Reason {
  bool good;
  std::string text;
};

/// How far to trust it: what is left over and whether it is noise, how it predicts what it has not
/// seen, how well the poles are known, what its structure guarantees, how much the data show.
std::vector<Reason> reasons_to_trust(const Model& model, const DrawnRuns& drawn,
                                     const SignalContent& content);

}  // namespace lgn
