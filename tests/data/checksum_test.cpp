#include "lgn/data/checksum.h"

#include <gtest/gtest.h>

#include "lgn/core/error.h"
#include "tests/data/csv_fixture.h"

namespace lgn {
namespace {

using testing::TextFile;

// FIPS 180-2, appendix B.1, and the hash of nothing.
constexpr const char* hash_of_abc =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* hash_of_nothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST(Checksum, IsSha256) {
  EXPECT_EQ(sha256_of_files({TextFile("abc").path()}), hash_of_abc);
  EXPECT_EQ(sha256_of_files({TextFile("").path()}), hash_of_nothing);
}

TEST(Checksum, RunsOnOverAllFiles) {
  const TextFile a("a"), bc("bc"), nothing("");
  EXPECT_EQ(sha256_of_files({a.path(), nothing.path(), bc.path()}), hash_of_abc);
}

TEST(Checksum, ReadsMoreThanOneBlock) {
  // FIPS 180-2, appendix B.3: a million times "a".
  EXPECT_EQ(sha256_of_files({TextFile(std::string(1'000'000, 'a')).path()}),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Checksum, OfAStreamIsUnknown) {
  const TextFile file("abc");
  EXPECT_EQ(sha256_of_files({"-"}), "");
  EXPECT_EQ(sha256_of_files({file.path(), "-"}), "");
  EXPECT_EQ(sha256_of_files({"/dev/null"}), "");
}

TEST(Checksum, NeedsFilesThatCanBeRead) {
  EXPECT_THROW(sha256_of_files({testing::temporary_path() + ".none"}), Error);
  EXPECT_THROW(sha256_of_files({::testing::TempDir()}), Error);
}

}  // namespace
}  // namespace lgn
