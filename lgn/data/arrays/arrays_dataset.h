#pragma once

#include "lgn/data/arrays/array_file.h"
#include "lgn/data/dataset.h"
#include "lgn/data/read_options.h"

namespace lgn {

/// The arrays of a file as data.
///
/// `t` (or `time`, or `options.time`) holds the times: [sample] for all runs, or [run, sample]; runs
/// of different length end with times that are NaN. `x` is [sample, channel] for one run, or
/// [run, sample, channel]; [sample] is one channel. NaN in `x` is a missing sample. `u`, if there is
/// one, holds inputs in the same way. Lists of text, all optional: `channels` and `inputs` name what
/// `x` and `u` hold (else x1, x2, … and u, or u1, u2, …), `runs` labels the runs (else 1, 2, …).
///
/// Other orders are accepted where the number of times and of names leave only one: t may be a row,
/// a column or [sample, run]; x [channel, sample], [sample, channel, run] as MATLAB users have it,
/// [run, channel, sample] as HDF5 shows that, and [run, sample] or [sample, run] of one channel that
/// has a name. Where a shape fits the order of the first paragraph and others too, it is taken for
/// the first; only the three dimensions of a MAT file that could be both [run, sample, channel] and
/// [sample, channel, run] are refused.
///
/// The one array of an NPY file is [sample, column] or [run, sample, column]: the first column is
/// the time, the others are channels x1, x2, ….
///
/// Vectors beside a t of one run that are as long as it are channels by their names (x too, where it is
/// one of several), and inputs where they are called u1, u2, …. What is not used is an assumption of
/// the reading.
///
/// Where there is no x, one other array of numbers, or vectors, stand for it; `options.variable` says
/// which where there are several. Where neither t nor x stands at the root, but in one group, that is
/// read; `options.variable` may name a group or an array in one. An array without t is a table whose longer side counts samples: its columns are
/// named by `options.columns` (else x1, x2, …), and a column that is named as times are, the first column
/// if it increases, `options.dt` or `options.rate` tell the times; so does a single number fs or dt.
///
/// `options.channels` and `options.inputs` choose among the names as they do among the columns of a
/// CSV file. Throws Error when arrays are missing, are no numbers, or do not fit each other.
Dataset dataset_of(const ArrayFile& arrays, const ReadOptions& options = {});

/// The data as arrays that `dataset_of` reads back to the same: x [sample, channel] for one run,
/// [run, sample, channel] for several, padded with NaN; t [sample] where all runs have the same
/// times, else [run, sample].
ArrayFile arrays_of(const Dataset& data);

/// The data as the one array of an NPY file. Names are lost. Throws Error when there are inputs,
/// which it could not tell from channels.
ArrayFile table_of(const Dataset& data);

}  // namespace lgn
