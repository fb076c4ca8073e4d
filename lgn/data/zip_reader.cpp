#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/data/array_bytes_internal.h"
#include "lgn/data/csv_internal.h"
#include "lgn/data/inflate_internal.h"
#include "lgn/data/zip_internal.h"

// Records and offsets are those of PKWARE's APPNOTE.TXT, sections 4.3 and 4.5.3.

namespace lgn::array_internal {
namespace {

constexpr std::size_t kEndBytes = 22, kEntryBytes = 46, kLocalBytes = 30;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  ///< the value is in the ZIP64 record instead

[[noreturn]] void damaged(const std::string& how) {
  throw Error("the ZIP archive " + how, "the file is damaged or cut off: write it again");
}

/// Bounds are checked, once for each record.
std::string_view record(std::string_view archive, std::uint64_t offset, std::uint64_t size) {
  if (offset > archive.size() || size > archive.size() - offset) damaged("is cut off");
  return archive.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

template <class T>
T at(std::string_view bytes, std::size_t offset) {
  return load<T>(bytes.data() + offset, false);
}

struct Directory {
  std::uint64_t entries = 0, bytes = 0, offset = 0;
};

Directory find_directory(std::string_view archive) {
  constexpr std::string_view signature("PK\5\6", 4);
  constexpr std::size_t longest_comment = 0xFFFF;
  const std::size_t searched = std::min(archive.size(), longest_comment + kEndBytes);
  const std::size_t found = archive.substr(archive.size() - searched).rfind(signature);
  if (found == archive.npos) damaged("has no end");
  const std::size_t place = archive.size() - searched + found;
  const std::string_view end = record(archive, place, kEndBytes);
  Directory directory{at<std::uint16_t>(end, 10), at<std::uint32_t>(end, 12),
                      at<std::uint32_t>(end, 16)};
  constexpr std::size_t locator_bytes = 20, end64_bytes = 56;
  if (place >= locator_bytes &&
      archive.substr(place - locator_bytes).starts_with(std::string_view("PK\6\7", 4))) {
    const auto where = at<std::uint64_t>(archive, place - locator_bytes + 8);
    const std::string_view end64 = record(archive, where, end64_bytes);
    if (!end64.starts_with(std::string_view("PK\6\6", 4))) damaged("has no directory");
    directory = {at<std::uint64_t>(end64, 32), at<std::uint64_t>(end64, 40),
                 at<std::uint64_t>(end64, 48)};
  }
  return directory;
}

/// Takes from the extra fields the numbers that did not fit into 32 bits.
void read_zip64(std::string_view extra, ZipMember& member) {
  while (extra.size() >= 4) {
    const std::size_t size = at<std::uint16_t>(extra, 2);
    const bool is_zip64 = at<std::uint16_t>(extra, 0) == 1;
    extra.remove_prefix(4);
    if (size > extra.size()) damaged("has an entry that is cut off");
    std::string_view field = extra.substr(0, size);
    extra.remove_prefix(size);
    if (!is_zip64) continue;
    for (std::uint64_t* value : {&member.unpacked, &member.packed, &member.offset}) {
      if (*value != kIn64) continue;
      if (field.size() < 8) damaged("has an entry that is cut off");
      *value = at<std::uint64_t>(field, 0);
      field.remove_prefix(8);
    }
    return;
  }
}

}  // namespace

std::vector<ZipMember> list_zip(std::string_view archive) {
  const Directory directory = find_directory(archive);
  std::string_view rest = record(archive, directory.offset, directory.bytes);
  std::vector<ZipMember> members;
  for (std::uint64_t k = 0; k < directory.entries; ++k) {
    const std::string_view entry = record(rest, 0, kEntryBytes);
    if (!entry.starts_with(std::string_view("PK\1\2", 4))) damaged("has a damaged directory");
    const std::size_t name = at<std::uint16_t>(entry, 28);
    const std::size_t extra = at<std::uint16_t>(entry, 30);
    const std::size_t comment = at<std::uint16_t>(entry, 32);
    const std::string_view whole = record(rest, 0, kEntryBytes + name + extra + comment);
    ZipMember member{std::string(whole.substr(kEntryBytes, name)),
                     at<std::uint16_t>(entry, 10),
                     at<std::uint16_t>(entry, 8),
                     at<std::uint32_t>(entry, 16),
                     at<std::uint32_t>(entry, 20),
                     at<std::uint32_t>(entry, 24),
                     at<std::uint32_t>(entry, 42)};
    read_zip64(whole.substr(kEntryBytes + name, extra), member);
    members.push_back(std::move(member));
    rest.remove_prefix(whole.size());
  }
  return members;
}

std::string_view unpack(std::string_view archive, const ZipMember& member, std::string& storage) {
  const auto refuse = [&](const std::string& problem, const char* help) {
    throw Error(fmt::format("the member {} {}", csv_internal::quote(member.name), problem), help);
  };
  constexpr unsigned encrypted = 1, stored = 0, deflated = 8;
  if ((member.flags & encrypted) != 0)
    refuse("is encrypted", "write the archive without a password");
  if (member.method != stored && member.method != deflated)
    refuse(fmt::format("is packed by method {}", member.method), "store or deflate it");
  const std::string_view local = record(archive, member.offset, kLocalBytes);
  if (!local.starts_with(std::string_view("PK\3\4", 4))) damaged("has a damaged member");
  const std::uint64_t skipped =
      kLocalBytes + at<std::uint16_t>(local, 26) + std::uint64_t{at<std::uint16_t>(local, 28)};
  const std::string_view packed =
      record(archive.substr(static_cast<std::size_t>(member.offset)), skipped, member.packed);
  std::string_view contents = packed;
  if (member.method == deflated) {
    if (member.unpacked > std::numeric_limits<std::size_t>::max()) damaged("lies about its size");
    storage = InflateStream(packed, InflateStream::Wrapping::raw)
                  .take(static_cast<std::size_t>(member.unpacked));
    contents = storage;
  }
  if (contents.size() != member.unpacked ||
      crc32_z(0, reinterpret_cast<const Bytef*>(contents.data()), contents.size()) != member.crc)
    refuse("does not have its checksum", "the file is damaged: write it again");
  return contents;
}

}  // namespace lgn::array_internal
