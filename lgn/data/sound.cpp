#include "lgn/data/sound_internal.h"

#ifdef LGN_WITH_SNDFILE
#include <sndfile.h>
#endif

#include <algorithm>
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
#else
void append_sound(std::string_view, const ReadOptions&, const FilePlace&) {
  throw Error("this lgn was built without libsndfile, which sounds need",
              "install libsndfile1-dev and build it again, or export the samples as text");
}
#endif

}  // namespace lgn::csv_internal
