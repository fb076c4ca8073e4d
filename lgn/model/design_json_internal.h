#pragma once

#include "lgn/model/design_record.h"
#include "lgn/model/json_reader_internal.h"

namespace lgn {

/// The field "design" of a model file, written and read.
Json design_to_json(const DesignRecord& design);
/// Throws Error with the field that is wrong.
DesignRecord design_from_json(const JsonReader& in);

}  // namespace lgn
