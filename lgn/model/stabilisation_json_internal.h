#pragma once

#include "lgn/identify/hidden/stabilisation.h"
#include "lgn/model/json_reader_internal.h"
#include "lgn/model/json_writer_internal.h"

namespace lgn {

/// The field "stabilisation" of a model file: "singular_values", and for each of "orders" its "states", "poles" as [re, im] with
/// Im λ > 0, and "shapes", [re, im] per channel of each pole.
Json stabilisation_to_json(const Stabilisation& stabilisation);

/// Reads it back. Throws Error for numbers that are missing, and shapes of another number of channels or poles.
Stabilisation stabilisation_from_json(const JsonReader& in, Index channels);

}  // namespace lgn
