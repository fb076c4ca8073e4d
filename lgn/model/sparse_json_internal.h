#pragma once

#include "lgn/model/json_reader_internal.h"
#include "lgn/model/json_writer_internal.h"
#include "lgn/model/model_sparse.h"

namespace lgn {

/// The field "A" of a model file for a sparse generator: {"n", "rows", "cols", "values"}.
Json sparse_to_json(const ModelSparse& model);
/// Its field "network": lists of nodes, storages and elements with their standard errors.
Json sparse_network_to_json(const ModelSparse& model);

/// Reads both back. Throws Error for what is no network, and for an A that is not its generator.
ModelSparse sparse_from_json(const JsonReader& model);

}  // namespace lgn
