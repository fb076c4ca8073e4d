#pragma once

#include <string>
#include <vector>

#include "lgn/data/dataset.h"

namespace lgn {

/// SHA-256 of the files' bytes, one after the other, in hexadecimal; empty when one of them is
/// standard input ("-"), a pipe or a device, which can be read only once. Throws Error when a file
/// cannot be read.
std::string sha256_of_files(const std::vector<std::string>& paths);

/// A checksum of the channels' names, of all times and of all values: what the same data have, wherever they came from.
std::string fingerprint(const Dataset& data);

}  // namespace lgn
