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

/// How far to trust it: residuals and whether they are white, the validation error, standard errors of
/// the poles, the numerical rank of the data, what the structure guarantees.
std::vector<Reason> reasons_to_trust(const Model& model, const DrawnRuns& drawn,
                                     const SignalContent& content);

}  // namespace lgn
