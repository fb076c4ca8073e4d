#pragma once

#include <string>
#include <vector>

#include "lgn/model/json_reader_internal.h"
#include "lgn/model/json_writer_internal.h"
#include "lgn/physics/network_elements.h"

namespace lgn {

/// The field "network" of a model file.
Json network_to_json(const Network& network);

/// Reads it back; names and quantities of elements are for people and are not read. Throws Error for
/// what is no network: unknown kinds and types, nodes without a state among `channels` or with the
/// same state or name, elements between nodes that are not there, negative values, two elements of
/// one type in the same place.
Network network_from_json(const JsonReader& in, const std::vector<std::string>& channels);

}  // namespace lgn
