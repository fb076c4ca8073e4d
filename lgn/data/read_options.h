#pragma once

#include <string>
#include <vector>

#include "lgn/core/setting.h"

namespace lgn {

/// How to read data files, whatever their format; the defaults read what lgn writes, and find out
/// by themselves about most of what instruments and other programs write.
///
/// Columns are named by their name, by a beginning that no other name has, or by their number
/// (from 1) where no column has that name.
struct ReadOptions {
  /// The time column; empty: `t`, `time` and their like, with or without a unit.
  std::string time = {};
  /// Names of all columns from the first to the last, in place of a header; "-" skips one.
  std::vector<std::string> columns = {};
  /// Columns that are inputs. Without a value: columns named u, u1, u2, …; {"none"}: no column is.
  std::vector<std::string> inputs = {};
  /// Measured channels to keep, in this order; empty: all.
  std::vector<std::string> channels = {};
  /// Who named them, for messages. Unless it is this, names are taken whole.
  std::string channels_from = setting("channels");
  /// Numbers are written 0,5 even where that does not show.
  bool decimal_comma = false;
  /// Time between samples where there is no time column: "0.01" (in time_unit) or "10ms".
  std::string dt = {};
  /// Samples per second instead: "256", "256Hz" or "1kHz".
  std::string rate = {};
  /// The array to read, from a file that holds several, by its path where it stands in a group or a struct
  /// (grp/data, s.x); or the group.
  std::string variable = {};
  /// Of dates such as 5/6/2021: "dmy", "mdy" or "ymd"; empty: as the file shows.
  std::string date_order = {};
  /// Samples before and after these times are left out: "20" (in time_unit) or "20ms"; empty: all are kept. begin "auto": those
  /// before anything moves, in data without inputs (rest.h); "all": none.
  std::string begin = {}, end = {};
  /// Channels and inputs that are multiplied, "CH2=0.1" or "CH2=1/10": a shunt's volts become amperes.
  std::vector<std::string> scale = {};
  /// What times are converted to where the file says what they are in.
  std::string time_unit = "s";
  /// Only the times matter: the file needs no channel.
  bool times_only = false;
};

}  // namespace lgn
