#pragma once

// ZIP archives in memory by libzip, as far as NPZ files use them; not installed.

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>

struct zip;

namespace lgn::array_internal {

/// An archive to read from. The bytes must stay as long as it does.
class ZipReader {
 public:
  /// Throws Error when the bytes are no archive, or its directory is damaged or cut off.
  explicit ZipReader(std::string_view bytes);

  /// Number of members.
  std::size_t size() const;
  std::string name(std::size_t member) const;
  /// The member's contents. Throws Error when it is damaged, encrypted, packed by another method
  /// than deflate, or says that it is larger than it can be; memory is taken after that was checked.
  std::string unpack(std::size_t member) const;

 private:
  struct Close {
    void operator()(::zip* archive) const;
  };
  std::size_t archive_bytes_;
  std::unique_ptr<::zip, Close> archive_;
};

/// An archive of the contents by their names, stored as they are; equal contents make equal bytes.
std::string zip_of(const std::map<std::string, std::string>& contents);

}  // namespace lgn::array_internal
