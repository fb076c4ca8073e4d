#include <zlib.h>

#include <algorithm>

#include "lgn/data/array_bytes_internal.h"
#include "lgn/data/zip_internal.h"

namespace lgn::array_internal {
namespace {

constexpr std::uint64_t kIn64 = 0xFFFFFFFF;
constexpr std::uint16_t kVersion = 45;              // the first with ZIP64
constexpr std::uint16_t kUtf8 = 1 << 11;            // names are UTF-8
constexpr std::uint32_t kNewYear1980 = 0x00210000;  // the earliest date: equal data, equal bytes

std::uint32_t low(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::min(value, kIn64));
}

/// From the version needed to the name's length: both headers of a member have that part.
void store_common(std::string& to, const ZipMember& member) {
  store(to, kVersion);
  store(to, kUtf8);
  store(to, std::uint16_t{0});
  store(to, kNewYear1980);
  store(to, member.crc);
  store(to, low(member.packed));
  store(to, low(member.unpacked));
  store(to, static_cast<std::uint16_t>(member.name.size()));
}

/// The ZIP64 field with those of the values that do not fit into 32 bits.
std::string zip64_field(std::initializer_list<std::uint64_t> values) {
  std::string large;
  for (const std::uint64_t value : values)
    if (value >= kIn64) store(large, value);
  std::string field;
  if (large.empty()) return field;
  store(field, std::uint16_t{1});
  store(field, static_cast<std::uint16_t>(large.size()));
  return field + large;
}

}  // namespace

void ZipWriter::add(const std::string& name, std::string_view contents) {
  ZipMember member;
  member.name = name;
  member.crc = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(contents.data()), contents.size()));
  member.packed = member.unpacked = contents.size();
  member.offset = bytes_.size();
  const std::string extra = zip64_field({member.unpacked, member.packed});
  bytes_ += "PK\3\4";
  store_common(bytes_, member);
  store(bytes_, static_cast<std::uint16_t>(extra.size()));
  bytes_ += name;
  bytes_ += extra;
  bytes_ += contents;
  members_.push_back(std::move(member));
}

std::string ZipWriter::finish() {
  const std::uint64_t start = bytes_.size(), entries = members_.size();
  for (const auto& member : members_) {
    const std::string extra = zip64_field({member.unpacked, member.packed, member.offset});
    bytes_ += "PK\1\2";
    store(bytes_, kVersion);
    store_common(bytes_, member);
    store(bytes_, static_cast<std::uint16_t>(extra.size()));
    bytes_.append(2 + 2 + 2 + 4, '\0');  // comment, disk, attributes
    store(bytes_, low(member.offset));
    bytes_ += member.name;
    bytes_ += extra;
  }
  const std::uint64_t end = bytes_.size(), size = end - start;
  if (end >= kIn64) {
    bytes_ += "PK\6\6";
    store(bytes_, std::uint64_t{44});  // bytes that follow in this record
    store(bytes_, kVersion);
    store(bytes_, kVersion);
    bytes_.append(4 + 4, '\0');  // disks
    for (const std::uint64_t value : {entries, entries, size, start}) store(bytes_, value);
    bytes_ += "PK\6\7";
    bytes_.append(4, '\0');
    store(bytes_, end);
    store(bytes_, std::uint32_t{1});
  }
  bytes_ += "PK\5\6";
  bytes_.append(4, '\0');
  store(bytes_, static_cast<std::uint16_t>(entries));
  store(bytes_, static_cast<std::uint16_t>(entries));
  store(bytes_, low(size));
  store(bytes_, low(start));
  store(bytes_, std::uint16_t{0});
  return std::move(bytes_);
}

}  // namespace lgn::array_internal
