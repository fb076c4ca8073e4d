// Named arrays as a decoded file may hold them, in groups and structs too, with options: every step after the decoding.

#include <fuzzer/FuzzedDataProvider.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

#include "tests/fuzz/fuzzed.h"

namespace {

constexpr const char* kNames[] = {"t",    "time", "T",        "x",      "X",    "y",   "u", "u1",
                                  "u2",   "fs",   "dt",       "t_ms",   "v0",   "a b", "",  "rate",
                                  "Time", "data", "channels", "inputs", "runs", "x1",  "1", "-"};
constexpr const char* kGroups[] = {"", "", "", "grp", "s", "run1", "a/b", "s.deep", "t", "x", "/"};

std::string name_from(FuzzedDataProvider& bytes, char mark) {
  const std::string group = bytes.PickValueInArray(kGroups);
  const std::string last = bytes.PickValueInArray(kNames);
  return group.empty() ? last : group + mark + last;
}

double number_from(FuzzedDataProvider& bytes, std::size_t place) {
  const auto k = static_cast<double>(place);
  switch (bytes.ConsumeIntegralInRange(0, 9)) {
    case 0:
      return std::nan("");
    case 1:
      return bytes.ConsumeBool() ? HUGE_VAL : -HUGE_VAL;
    case 2:
      return bytes.ConsumeFloatingPoint<double>();
    case 3:
      return bytes.ConsumeIntegral<std::int8_t>();
    case 4:
      return std::numeric_limits<double>::max();
    default:
      return k;
  }
}

lgn::NumberArray array_from(FuzzedDataProvider& bytes) {
  lgn::NumberArray array;
  std::size_t size = 1;
  const int rank = bytes.ConsumeIntegralInRange(0, 4);
  for (int k = 0; k < rank; ++k) {
    array.shape.push_back(bytes.ConsumeIntegralInRange<std::size_t>(k == 0 ? 0 : 1, 6));
    size *= array.shape.back();
  }
  for (std::size_t k = 0; k < size; ++k) array.values.push_back(number_from(bytes, k));
  return array;
}

std::vector<std::string> names_from(FuzzedDataProvider& bytes, int most) {
  std::vector<std::string> names;
  for (int k = bytes.ConsumeIntegralInRange(0, most); k > 0; --k)
    names.push_back(bytes.PickValueInArray(kNames));
  return names;
}

lgn::ReadOptions options_from(FuzzedDataProvider& bytes, char mark) {
  lgn::ReadOptions options;
  const int asked = bytes.ConsumeIntegral<std::uint8_t>();
  if ((asked & 1) != 0) options.variable = name_from(bytes, bytes.ConsumeBool() ? mark : '/');
  if ((asked & 2) != 0) options.variable = bytes.PickValueInArray(kGroups);
  if ((asked & 4) != 0) options.dt = bytes.PickValueInArray({"1", "10ms", "0", "x"});
  if ((asked & 8) != 0) options.rate = bytes.PickValueInArray({"1", "1kHz", "-1", "1e300"});
  if ((asked & 16) != 0) options.time = name_from(bytes, mark);
  if ((asked & 32) != 0) options.columns = names_from(bytes, 6);
  if ((asked & 64) != 0) options.channels = names_from(bytes, 3);
  if ((asked & 128) != 0) options.inputs = names_from(bytes, 2);
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  lgn::ArrayFile file;
  file.is_matlab = bytes.ConsumeBool();
  const char mark = file.is_matlab ? '.' : '/';
  const lgn::ReadOptions options = options_from(bytes, mark);
  for (int k = bytes.ConsumeIntegralInRange(0, 7); k > 0; --k) {
    const std::string name = name_from(bytes, mark);
    switch (bytes.ConsumeIntegralInRange(0, 7)) {
      case 0:
        file.texts[name] = names_from(bytes, 5);
        break;
      case 1:
        file.unread[name] = "a link";
        break;
      default:
        file.numbers[name] = array_from(bytes);
    }
  }
  lgn::fuzz::read_named(file, options);
  return 0;
}
