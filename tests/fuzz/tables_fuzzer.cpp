// Text put together from what instruments write: preambles, units, quoted cells, decimal commas, dates. A byte is a piece.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>

#include "tests/fuzz/fuzzed.h"

namespace {

constexpr const char* kPieces[] = {
    "\n", "\n", "\n", "\r\n", ",", ",", ";", ";", "\t", " ", "   ", "\"", "\"", "0", "1", "2",
    "3.5", "-4e-3", "0,5", "\"0,5\"", "\"1,25\"", "\"-2,0e-3\"", "1,234.5", "1.234,5", "150.103,7",
    "\"1,234\"", "1e999", "-", "nan", "#N/A", "inf", "", "t", "time", "Time (s)", "Zeit [ms]",
    "t/us", "x", "y", "u", "CH1", "CH2", "\"a;b\"", "\"a,b\"", "\"a\"\"b\"", "# ", "% ", "// ",
    "trajectory",
    // Preambles: Rigol, Keysight, Tektronix, LeCroy.
    "X,CH1,CH2,Start,Increment\n", "Sequence,VOLT,VOLT,-6.0e-05,1.0e-07\n", "Sequence", "VOLT",
    "Time(s),CH1(V),t0 = -6.000e-04s, tInc = 1.000e-06", "tInc = ", "t0 = ", "t0 =-0.6ms",
    "x-axis,1,2\n", "second,Volt,Volt\n", "x-axis", "second", "Volt", "Points,", "Record Length,",
    "Sample Interval,", "4.0E-08,s", "Sampling Rate,", "1.25E+06,Sa/s", "1kHz", "XINCREMENT",
    "XINC,", "Increment", "Start", "\"Sample Interval\",", "Model,DSO\n", "Trigger Point,",
    "LECROY,1,\n", "Segments,1,SegmentSize,4\n", "delta t,2.5E-6,2.5E-6\n", "waveform,A,B\n",
    "5/7/2021  11:55:33.186091", "26.05.2021 11:44:55", "2021-05-26T11:44:55.46Z", "11:44:55,5",
    "s,V\n", "[s]", "(ms)", "ms", "V", "\xEF\xBB\xBF", "\xB5s", "Record Length,4,Points\n", "=",
    ":", "/", "0,1,2\n", "1,3,4\n", "2,5,6\n", "0;0,5\n", "1;0,7\n", "\"0,0\",\"1,5\"\n",
    "\"0,1\",\"2,5\"\n"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text;
  for (std::size_t k = 0; k < size; ++k) text += kPieces[data[k] % std::size(kPieces)];
  const int file = ::memfd_create("table", MFD_CLOEXEC);
  if (file < 0 || ::write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    std::abort();
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  lgn::fuzz::read_text(path);
  ::close(file);
  return 0;
}
