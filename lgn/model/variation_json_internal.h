#pragma once

#include "lgn/model/json_reader_internal.h"
#include "lgn/model/json_writer_internal.h"
#include "lgn/model/model_variation.h"

namespace lgn {

/// The field "variation" of a model file. A structure that is neither modulated nor a law has the
/// kind "custom", which cannot be read back.
Json variation_to_json(const ModelVariation& variation);

/// Reads it back for n states. Structure, θ, interval, method and standard errors are read; what
/// follows from them (course, harmonics, Floquet's multipliers) is computed again at the times of the
/// file, and names and values in the file are for people. Throws Error for a structure, basis, law or
/// method that the program does not know, lists of the wrong size, functions that the basis does not
/// have, numbers that are not finite, and sizes that no fit leads to.
ModelVariation variation_from_json(const JsonReader& in, Index n);

}  // namespace lgn
