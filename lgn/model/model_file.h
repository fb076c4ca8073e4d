#pragma once

#include <string>

#include "lgn/model/model.h"

namespace lgn {

/// What a model file says it is.
inline constexpr const char* model_schema = "lgn-model/1";

/// The model as JSON text in the format "lgn-model/1"; numbers are written so that they read back
/// to the same bits, values that do not exist (NaN) as null.
std::string model_to_json(const Model& model);

/// Reads what model_to_json writes. Modes are computed from A, their standard errors are read. Throws Error for text that
/// is not JSON, another schema, and a missing or mis-sized field, naming it; `file` is for the
/// message.
Model model_from_json(const std::string& text, const std::string& file);

/// The same from and to a file ("-": standard input and output). The file appears whole or not at
/// all.
Model read_model(const std::string& path);
void write_model(const Model& model, const std::string& path);

}  // namespace lgn
