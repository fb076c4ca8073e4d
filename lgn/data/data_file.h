#pragma once

#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/data/read_options.h"
#include "lgn/data/reading.h"

namespace lgn {

/// Reads one or more data files of any known format ("-": standard input); several files are
/// several runs of one system, and their formats may differ.
///
/// The first bytes of a file tell whether it is NPY, NPZ, MAT (v5, v7 or v7.3), HDF5, WAV or FLAC,
/// or one of these packed by gzip or zstd; anything else is read as text. Arrays are named and
/// ordered as `dataset_of` says, text is what `read_csv` reads; the channels of a sound are left and
/// right, or x1, x2, …, its rate tells the times. Runs are labelled as in text. The options hold for
/// every format. `reading`, if it is given, is told what was understood.
///
/// Memory: a file of arrays or a sound is held whole, beside its numbers. Throws Error with the file,
/// and for text with line and column.
Dataset read_data(const std::vector<std::string>& paths, const ReadOptions& options = {},
                  Reading* reading = nullptr);

/// The times of a data file with one run; nothing else needs to be in it.
Vector read_data_times(const std::string& path, const ReadOptions& options = {},
                       Reading* reading = nullptr);

/// Writes a file that `read_data` reads back to the same numbers, in the format that the ending of
/// its name tells: .npz, .npy (without names), .mat (v5; v7.3 where an array is too large for that,
/// 2 GiB), .h5 or .hdf5, .wav (numbers of 32 bits, one run, even times); anything else, and "-" for standard output, is CSV. The file appears whole
/// or not at all. Throws Error when the format cannot hold the data or the file cannot be written.
void write_data(const Dataset& data, const std::string& path);

/// Throws Error when this build could not write such a file, before there are data.
void check_data_format(const std::string& path);

}  // namespace lgn
