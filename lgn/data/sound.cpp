#include "lgn/data/sound_internal.h"

#ifdef LGN_WITH_SNDFILE
#include <sndfile.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/table_runs_internal.h"

namespace lgn::csv_internal {

bool is_sound(std::string_view first_bytes) {
  if (first_bytes.starts_with("fLaC")) return true;
  const bool is_riff = first_bytes.starts_with("RIFF") || first_bytes.starts_with("RIFX") ||
                       first_bytes.starts_with("RF64");
  return is_riff &&
         first_bytes.substr(std::min<std::size_t>(8, first_bytes.size())).starts_with("WAVE");
}

#ifdef LGN_WITH_SNDFILE
namespace {

/// Bytes in memory as a file that libsndfile reads.
struct Memory {
  std::string_view bytes;
  std::size_t position = 0;
};

Memory& memory_of(void* data) { return *static_cast<Memory*>(data); }

sf_count_t length(void* data) { return static_cast<sf_count_t>(memory_of(data).bytes.size()); }

sf_count_t seek(sf_count_t offset, int whence, void* data) {
  Memory& memory = memory_of(data);
  const auto size = static_cast<sf_count_t>(memory.bytes.size());
  const sf_count_t base = whence == SEEK_SET   ? 0
                          : whence == SEEK_END ? size
                                               : static_cast<sf_count_t>(memory.position);
  // Clamped before it is added, so that a damaged file cannot make it overflow.
  const sf_count_t target = base + std::clamp<sf_count_t>(offset, -base, size - base);
  memory.position = static_cast<std::size_t>(target);
  return target;
}

sf_count_t read(void* to, sf_count_t count, void* data) {
  Memory& memory = memory_of(data);
  const std::size_t given = std::min(static_cast<std::size_t>(std::max<sf_count_t>(count, 0)),
                                     memory.bytes.size() - memory.position);
  std::memcpy(to, memory.bytes.data() + memory.position, given);
  memory.position += given;
  return static_cast<sf_count_t>(given);
}

sf_count_t write(const void*, sf_count_t, void*) { return 0; }

/// Bytes that libsndfile makes.
struct Growing {
  std::string bytes;
  std::size_t position = 0;
};

Growing& growing(void* data) { return *static_cast<Growing*>(data); }

sf_count_t grown(void* data) { return static_cast<sf_count_t>(growing(data).bytes.size()); }

sf_count_t place(sf_count_t offset, int whence, void* data) {
  Growing& file = growing(data);
  const sf_count_t base = whence == SEEK_SET   ? 0
                          : whence == SEEK_END ? grown(data)
                                               : static_cast<sf_count_t>(file.position);
  file.position = static_cast<std::size_t>(base + offset);
  return base + offset;
}

sf_count_t read_nothing(void*, sf_count_t, void*) { return 0; }

sf_count_t put(const void* from, sf_count_t count, void* data) {
  Growing& file = growing(data);
  const auto many = static_cast<std::size_t>(count);
  if (file.bytes.size() < file.position + many) file.bytes.resize(file.position + many);
  std::memcpy(file.bytes.data() + file.position, from, many);
  file.position += many;
  return count;
}

sf_count_t reached(void* data) { return static_cast<sf_count_t>(growing(data).position); }

sf_count_t tell(void* data) { return static_cast<sf_count_t>(memory_of(data).position); }

struct Sound {
  std::vector<double> values;  ///< [frame, channel]
  std::size_t channels = 1;
  int rate = 0;
};

Sound decoded(std::string_view bytes) {
  const std::string help = "the file is damaged or cut off: get it again";
  SF_VIRTUAL_IO access{length, seek, read, write, tell};
  Memory memory{bytes};
  SF_INFO info = {};
  const std::unique_ptr<SNDFILE, int (*)(SNDFILE*)> file(
      sf_open_virtual(&access, SFM_READ, &info, &memory), sf_close);
  if (file == nullptr || info.channels < 1 || info.samplerate < 1)
    throw Error(std::string("no sound: ") + sf_strerror(nullptr), help);
  Sound sound;
  sound.channels = static_cast<std::size_t>(info.channels);
  sound.rate = info.samplerate;
  // What the file says about its length may be wrong: blocks are read as long as there are some.
  constexpr std::size_t block_values = std::size_t{1} << 16;
  const std::size_t block = std::max<std::size_t>(block_values / sound.channels, 1);
  for (;;) {
    const std::size_t before = sound.values.size();
    array_internal::check_unpacked((before + block * sound.channels) * sizeof(double),
                                   bytes.size());
    sound.values.resize(before + block * sound.channels);
    const sf_count_t got =
        sf_readf_double(file.get(), sound.values.data() + before, static_cast<sf_count_t>(block));
    const auto frames =
        static_cast<std::size_t>(std::clamp<sf_count_t>(got, 0, static_cast<sf_count_t>(block)));
    sound.values.resize(before + frames * sound.channels);
    if (frames == 0) break;
  }
  if (sound.values.empty()) throw Error("the sound holds no sample", help);
  // libsndfile takes a damaged frame of FLAC for the end. A stream may leave its length open.
  const auto frames = static_cast<sf_count_t>(sound.values.size() / sound.channels);
  const bool is_flac = (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC;
  if (is_flac && info.frames != SF_COUNT_MAX && frames < info.frames)
    throw Error(fmt::format("only {} of {} samples can be read", frames, info.frames), help);
  return sound;
}

}  // namespace

void append_sound(std::string_view bytes, const ReadOptions& options, const FilePlace& place) {
  const Sound sound = decoded(bytes);
  place.reading.format = bytes.starts_with("fLaC") ? "FLAC" : "WAV";
  auto clock = clock_of(options.dt, options.rate, options.time_unit);
  if (!clock) {
    clock = clock_of({}, std::to_string(sound.rate), options.time_unit);
    place.reading.assumptions.push_back(std::to_string(sound.rate) + " samples per second");
  }
  std::vector<std::string> names = numbered_names(sound.channels, kNoColumn);
  if (sound.channels == 2) names = {"left", "right"};
  append_table({sound.values.data(), sound.values.size() / sound.channels, sound.channels,
                sound.channels, 1},
               names, clock, options, place);
}

std::string encode_sound(const Dataset& data) {
  const std::string help = "write another format: .csv, .npy, .npz, .mat or .h5";
  const Trajectory& run = data.runs().front();
  if (data.runs().size() > 1) throw Error("a sound holds one run", help);
  if (run.states().array().isNaN().any()) throw Error("a sound has no missing samples", help);
  const double step =
      (run.times()[run.samples() - 1] - run.times()[0]) / static_cast<double>(run.samples() - 1);
  for (Index k = 0; k < run.samples(); ++k)
    if (std::abs(run.times()[k] - run.times()[0] - static_cast<double>(k) * step) > 1e-3 * step)
      throw Error("the samples of a sound are equally far apart", help);
  const double rate = std::round(1 / step);
  if (!(rate >= 1 && rate < 1e7 && std::abs(rate * step - 1) < 1e-6))
    throw Error(fmt::format("{:.6g} samples per second are not a whole number", 1 / step), help);
  SF_VIRTUAL_IO access{grown, place, read_nothing, put, reached};
  Growing result;
  SF_INFO info = {};
  info.samplerate = static_cast<int>(rate);
  info.channels = static_cast<int>(data.dimension());
  info.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
  {
    const std::unique_ptr<SNDFILE, int (*)(SNDFILE*)> file(
        sf_open_virtual(&access, SFM_WRITE, &info, &result), sf_close);
    if (file == nullptr) throw Error(std::string("no sound: ") + sf_strerror(nullptr), help);
    // The same data make the same bytes, whenever they are written.
    sf_command(file.get(), SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);
    if (sf_writef_double(file.get(), run.states().data(), run.samples()) != run.samples())
      throw Error(std::string("no sound: ") + sf_strerror(file.get()), help);
  }
  return std::move(result.bytes);
}
#else
std::string encode_sound(const Dataset&) {
  throw Error("this lgn was built without libsndfile, which sounds need",
              "install libsndfile1-dev and build it again, or write another format");
}

void append_sound(std::string_view, const ReadOptions&, const FilePlace&) {
  throw Error("this lgn was built without libsndfile, which sounds need",
              "install libsndfile1-dev and build it again, or export the samples as text");
}
#endif

}  // namespace lgn::csv_internal
