#pragma once

// ZIP archives, as far as NPZ files use them; not installed.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lgn::array_internal {

/// A file in an archive.
struct ZipMember {
  std::string name;
  unsigned method = 0;  ///< 0: stored; 8: deflated
  unsigned flags = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0, unpacked = 0, offset = 0;
};

/// The archive's directory, ZIP64 included. Throws Error when it is not there, is cut off, or
/// points outside the archive.
std::vector<ZipMember> list_zip(std::string_view archive);

/// The member's bytes: in the archive where it is stored, else in `storage`. Throws Error when it
/// is damaged, encrypted, or packed by another method than deflate.
std::string_view unpack(std::string_view archive, const ZipMember& member, std::string& storage);

/// An archive that stores members as they are, with the names and contents given.
class ZipWriter {
 public:
  void add(const std::string& name, std::string_view contents);
  /// The archive; nothing may be added afterwards.
  std::string finish();

 private:
  std::string bytes_;
  std::vector<ZipMember> members_;
};

}  // namespace lgn::array_internal
