#pragma once

#include <string>
#include <vector>

#include "lgn/data/channel_kinds.h"
#include "lgn/data/dataset.h"

namespace lgn {

/// What kind of motion a record shows.
enum class RecordKind {
  free,      ///< decays from its initial state, or swings on as it began
  driven,    ///< an input moves
  ambient,   ///< neither decays nor is driven: moved by what was not measured
  growing,   ///< grows
  constant,  ///< nothing moves
};

/// "free", "driven", …
std::string name_of(RecordKind kind);

/// One column of the data at a glance; numbers are of the values that are present.
struct ChannelInspection {
  std::string name;
  ChannelKind kind = ChannelKind::plain;
  bool is_input = false;
  Index missing = 0;
  double mean = 0, rms = 0, minimum = 0, maximum = 0;
  /// Standard deviation of what no smooth signal explains: from differences of the order, two to
  /// five, that leaves least of it; an upper bound where samples are far apart.
  double noise = 0;
  /// The level that the channel swings about or settles at, and whether it stands out from zero.
  double offset = 0;
  bool has_offset = false;
  Index outliers = 0;  ///< single samples that neither their neighbours nor the noise explain
  Index clipped =
      0;  ///< samples at the end of the range, three or more in a row, or within noise of it
  Index stuck = 0;  ///< samples that repeat the one before while the signal should move
};

/// When samples were taken.
struct TimesInspection {
  double begin = 0, end = 0;  ///< of all runs
  double step = 0;            ///< median
  double jitter = 0;     ///< standard deviation of steps that are no gaps, relative to the median
  bool is_even = false;  ///< but for gaps, to one part in a thousand
  Index gaps = 0;        ///< steps of more than one and a half medians
  double longest_gap = 0;
};

/// What data look like before anything is identified.
struct Inspection {
  Index runs = 0, samples = 0;
  std::vector<ChannelInspection> channels;  ///< then inputs
  TimesInspection times;
  RecordKind record = RecordKind::free;
  /// What inputs say about the experiment, a sentence each; `inspect` leaves it to identify/driven/experiment_checks.h.
  std::vector<std::string> experiment = {};
};

/// Looks at data. The kind of record is judged by how the energy of all channels about their offsets
/// changes over eight parts of the runs, and, where it stays, by whether earlier samples tell later ones
/// as those of undisturbed motion do; drifts do not count. Linear in the number of values.
Inspection inspect(const Dataset& data);

/// Channels and inputs with samples that are clipped, stuck or outliers. Linear in the number of values.
std::vector<ChannelInspection> damaged_channels(const Dataset& data);

}  // namespace lgn
