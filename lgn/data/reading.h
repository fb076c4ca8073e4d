#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lgn {

/// What was understood of one data file.
struct FileReading {
  std::string file;
  std::string format;       ///< "text", "NPY", "MAT v5", "WAV", …
  std::string compression;  ///< "gzip", "zstd", or nothing
  std::string encoding;     ///< of text: "UTF-8", "UTF-16", "Latin-1"
  std::string separator;    ///< of text: ",", ";", "tab", "blanks"
  bool decimal_comma = false;
  std::size_t preamble_lines = 0;    ///< before the header, or before the table
  std::size_t header_line = 0;       ///< 0: none
  std::size_t units_line = 0;        ///< 0: none
  std::vector<std::string> columns;  ///< names of all columns
  std::string time;                  ///< the time column; empty where times were counted
  std::string time_kind;             ///< "numbers", "dates", "clock times", "counted"
  std::string unit_in_file;          ///< of the times; empty where the file does not say
  double interval = 0;               ///< that times were counted with; 0 where they were read
  /// What was taken for granted beyond the documented format, each in a few words.
  std::vector<std::string> assumptions;
};

/// What was understood of all files that were read together.
struct Reading {
  std::vector<FileReading> files;

  /// What was taken for granted, without repetition.
  std::vector<std::string> assumptions() const;
  /// The same in one line, with the names of the files; empty where nothing was.
  std::string line() const;
};

}  // namespace lgn
