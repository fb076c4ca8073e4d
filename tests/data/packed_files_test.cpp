#include <gtest/gtest.h>
#include <zlib.h>
#ifdef LGN_WITH_SNDFILE
#include <sndfile.h>
#endif

#include <map>
#include <utility>

#include "lgn/data/arrays/array_file.h"
#include "lgn/data/arrays/arrays_dataset.h"
#include "lgn/data/data_file.h"
#include "tests/data/csv_fixture.h"

namespace lgn {
namespace {

using testing::expect_same;
using testing::TextFile;
using Names = std::vector<std::string>;

std::string gzipped(const std::string& text) {
  std::string packed(compressBound(text.size()) + 64, '\0');
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

const std::string kText = "t,x\n0,1\n0.5,2\n1,3\n";

TEST(PackedFiles, GzipIsUnpacked) {
  const Dataset data = read_data({TextFile(kText).path()});
  expect_same(read_data({TextFile(gzipped(kText)).path()}), data);
  expect_same(read_data({TextFile(gzipped("t,x\n0,1\n") + gzipped("0.5,2\n1,3\n")).path()}), data);
  expect_same(read_csv({TextFile(gzipped(kText)).path()}), data);
  expect_same(read_data({TextFile(gzipped(gzipped(kText))).path()}), data);
  EXPECT_EQ(read_data_times(TextFile(gzipped(kText)).path()).size(), 3);
  const std::string npz = encode_arrays(arrays_of(data), ArrayFormat::npz);
  EXPECT_EQ(read_data({TextFile(gzipped(npz)).path()}).samples(), 3);
}

TEST(PackedFiles, DamageIsNoticed) {
  std::string packed = gzipped(kText);
  EXPECT_THROW(read_data({TextFile(packed.substr(0, packed.size() - 9)).path()}), Error);
  packed[packed.size() / 2] ^= 0x55;
  EXPECT_THROW(read_data({TextFile(packed).path()}), Error);
  EXPECT_THROW(read_data({TextFile("\x28\xB5\x2F\xFD nothing").path()}), Error);
}

/// A sound of 16 bits: 44 bytes before the samples.
std::string wave(const std::vector<std::vector<int>>& frames, int rate) {
  const auto number = [](std::size_t value, int bytes) {
    std::string text;
    for (int k = 0; k < bytes; ++k) text += static_cast<char>((value >> (8 * k)) & 0xFF);
    return text;
  };
  const std::size_t channels = frames[0].size(), size = 2 * channels * frames.size();
  std::string bytes = "RIFF" + number(36 + size, 4) + "WAVEfmt " + number(16, 4) + number(1, 2) +
                      number(channels, 2) + number(static_cast<std::size_t>(rate), 4) +
                      number(static_cast<std::size_t>(rate) * 2 * channels, 4) +
                      number(2 * channels, 2) + number(16, 2) + "data" + number(size, 4);
  for (const auto& frame : frames)
    for (const int value : frame) bytes += number(static_cast<std::size_t>(value) & 0xFFFF, 2);
  return bytes;
}

class Sounds : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      read_data({TextFile(wave({{1}, {2}}, 8000)).path()});
    } catch (const Error& error) {
      if (error.problem().find("without libsndfile") != std::string::npos)
        GTEST_SKIP() << "this build has no libsndfile";
    }
  }
};

TEST_F(Sounds, AreChannelsAtTheirRate) {
  const Dataset mono = read_data({TextFile(wave({{0}, {16384}, {-16384}}, 8000)).path()});
  EXPECT_EQ(mono.channels(), Names{"x1"});
  EXPECT_EQ(mono.runs()[0].states(), (Matrix{{0, 0.5, -0.5}}));
  EXPECT_EQ(mono.runs()[0].times()[2], 2.0 / 8000);
  const std::string stereo = wave({{0, 1}, {2, 3}, {4, 5}}, 1000);
  EXPECT_EQ(read_data({TextFile(stereo).path()}).channels(), (Names{"left", "right"}));
  const Dataset named =
      read_data({TextFile(stereo).path()}, {.columns = {"-", "microphone"}, .dt = "1ms"});
  EXPECT_EQ(named.channels(), Names{"microphone"});
  EXPECT_EQ(read_data({TextFile(gzipped(stereo)).path()}).samples(), 3);
}

TEST_F(Sounds, DamageIsNoticed) {
  const std::string sound = wave({{0}, {1}, {2}}, 8000);
  EXPECT_THROW(read_data({TextFile(sound.substr(0, 20)).path()}), Error);
  EXPECT_THROW(read_data({TextFile("fLaC" + sound).path()}), Error);
}

#ifdef LGN_WITH_SNDFILE
/// A sound of 16 bits, channels side by side.
std::string flac(const std::vector<short>& samples, int channels, int rate) {
  SF_INFO info = {};
  info.channels = channels;
  info.samplerate = rate;
  info.format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16;
  const std::string path = testing::temporary_path("sound.flac");
  SNDFILE* const file = sf_open(path.c_str(), SFM_WRITE, &info);
  if (file == nullptr) throw Error(sf_strerror(nullptr));
  sf_write_short(file, samples.data(), static_cast<sf_count_t>(samples.size()));
  sf_close(file);
  return testing::file_text(path);
}

TEST_F(Sounds, OfFlacAreChannelsAtTheirRate) {
  Reading reading;
  const TextFile mono(flac({0, 16384, -16384}, 1, 8000));
  const Dataset data = read_data({mono.path()}, {}, &reading);
  EXPECT_EQ(reading.files.front().format, "FLAC");
  EXPECT_EQ(data.channels(), Names{"x1"});
  EXPECT_EQ(data.runs()[0].states(), (Matrix{{0, 0.5, -0.5}}));
  EXPECT_EQ(data.runs()[0].times()[2], 2.0 / 8000);
  const Dataset stereo = read_data({TextFile(flac({0, 8192, -32768, 1}, 2, 44100)).path()});
  EXPECT_EQ(stereo.channels(), (Names{"left", "right"}));
  EXPECT_EQ(stereo.runs()[0].states(), (Matrix{{0, -1}, {0.25, 0x1p-15}}));
  EXPECT_EQ(stereo.runs()[0].times()[1], 1.0 / 44100);
}

TEST_F(Sounds, DamageOfFlacIsNoticed) {
  // More than one block of 4096 samples, so that what is before the damage can be read.
  std::vector<short> samples;
  for (int k = 0; k < 20000; ++k) samples.push_back(static_cast<short>(7919 * k % 3001));
  const std::string sound = flac(samples, 1, 8000);
  EXPECT_EQ(read_data({TextFile(sound).path()}).samples(), 20000);
  std::string flipped = sound;
  flipped[2 * sound.size() / 3] ^= 1;
  for (const std::string& damaged : {sound.substr(0, sound.size() - 3), flipped}) {
    try {
      read_data({TextFile(damaged).path()});
      ADD_FAILURE() << "the damage went unnoticed";
    } catch (const Error& error) {
      EXPECT_NE(error.problem().find("of 20000 samples"), std::string::npos) << error.what();
      EXPECT_NE(error.help().find("damaged"), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(read_data({TextFile(sound.substr(0, 60)).path()}), Error);
}
#endif

std::string written(std::map<std::string, NumberArray> numbers, ArrayFormat format) {
  ArrayFile arrays;
  arrays.numbers = std::move(numbers);
  return encode_arrays(arrays, format);
}

TEST(Matrices, AreTablesOfColumns) {
  const NumberArray matrix{{4, 2}, {3, 1, 2, 4, 1, 1, 5, 9}};
  const NumberArray turned{{2, 4}, {3, 2, 1, 5, 1, 4, 1, 9}};
  for (const ArrayFormat format : {ArrayFormat::npz, ArrayFormat::mat5})
    for (const NumberArray* array : {&matrix, &turned}) {
      const TextFile file(written({{"robot", *array}}, format));
      const Dataset data = read_data({file.path()}, {.columns = {"u", "y"}, .rate = "2"});
      EXPECT_EQ(data.channels(), Names{"y"});
      EXPECT_EQ(data.inputs(), Names{"u"});
      EXPECT_EQ(data.runs()[0].states(), (Matrix{{1, 4, 1, 9}}));
      EXPECT_EQ(data.runs()[0].times()[3], 1.5);
      EXPECT_EQ(read_data({file.path()}, {.dt = "10ms"}).channels(), (Names{"x1", "x2"}));
      EXPECT_THROW(read_data({file.path()}), Error);
    }
}

TEST(Matrices, OneOfSeveralIsNamed) {
  const NumberArray matrix{{3, 2}, {0, 1, 1, 4, 2, 1}};
  const TextFile file(written({{"first", matrix}, {"second", matrix}}, ArrayFormat::npz));
  EXPECT_EQ(read_data({file.path()}, {.variable = "second"}).channels(), Names{"x1"});
  EXPECT_EQ(read_data({file.path()}, {.dt = "1", .variable = "fi"}).dimension(), 2);
  try {
    read_data({file.path()});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.help().find("`variable`"), std::string::npos) << error.what();
  }
  const TextFile rated(written({{"fs", {{1}, {50}}}, {"y", {{3}, {1, 5, 2}}}}, ArrayFormat::npz));
  EXPECT_EQ(read_data({rated.path()}).runs()[0].times()[2], 0.04);
}

TEST(Matrices, WithoutATimeAreToldSo) {
  const TextFile file(written({{"", {{3, 2}, {3, 1, 2, 4, 1, 1}}}}, ArrayFormat::npy));
  try {
    read_data({file.path()});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problem(), "the first column is no time: 2 follows 3 in row 2");
    EXPECT_NE(error.help().find("`rate`"), std::string::npos);
  }
  EXPECT_EQ(read_data({file.path()}, {.rate = "1kHz"}).dimension(), 2);
  const TextFile row(written({{"", {{5}, {3, 1, 2, 4, 1}}}}, ArrayFormat::npy));
  EXPECT_EQ(read_data({row.path()}, {.dt = "1"}).samples(), 5);
}

}  // namespace
}  // namespace lgn
