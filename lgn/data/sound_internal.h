#pragma once

// Sounds as data, by libsndfile; not installed.

#include <string>
#include <string_view>

#include "lgn/data/csv/csv_internal.h"

namespace lgn::csv_internal {

/// Whether the first bytes are those of WAV or FLAC.
bool is_sound(std::string_view first_bytes);

/// Adds the sound as a run: its channels are left and right where there are two, else x1, x2, …, and
/// its rate tells the times. Throws Error, without the file's name, when it is damaged, unpacks to
/// more than 1 GiB and 100 times its size, or this build lacks libsndfile.
void append_sound(std::string_view bytes, const ReadOptions& options, const FilePlace& place);

/// The bytes of a WAV file of 32-bit numbers. Throws Error where a sound cannot hold the data: several runs, uneven times, a
/// rate that is not whole, missing samples; or where this build lacks libsndfile.
std::string encode_sound(const Dataset& data);

}  // namespace lgn::csv_internal
