#include <fmt/format.h>

#include "lgn/core/error.h"
#include "lgn/data/array_bytes_internal.h"
#include "lgn/data/array_formats_internal.h"
#include "lgn/data/csv_internal.h"
#include "lgn/data/zip_internal.h"

namespace lgn::array_internal {

ArrayFile decode_npz(std::string_view bytes, const WantedNames& wanted) {
  constexpr std::string_view ending = ".npy";
  ArrayFile file;
  std::string storage;
  for (const auto& member : list_zip(bytes)) {
    const bool is_array = member.name.ends_with(ending);
    const std::string name =
        is_array ? member.name.substr(0, member.name.size() - ending.size()) : member.name;
    const bool is_wanted = is_array && (!wanted || wanted(name));
    if (!is_wanted) file.unread[name] = is_array ? "an array" : "no NPY array";
    if (!is_wanted) continue;
    if (file.numbers.contains(name) || file.texts.contains(name))
      throw Error(fmt::format("two members are named {}", csv_internal::quote(member.name)),
                  "write the file again");
    try {
      decode_npy(unpack(bytes, member, storage), name, file);
    } catch (const Error& error) {
      throw Error(fmt::format("array {}: {}", csv_internal::quote(name), error.problem()),
                  error.help());
    }
  }
  return file;
}

std::string encode_npz(const ArrayFile& arrays) {
  ZipWriter zip;
  for (const auto& [name, array] : arrays.numbers) zip.add(name + ".npy", encode_npy(array));
  for (const auto& [name, texts] : arrays.texts) zip.add(name + ".npy", encode_npy(texts));
  return zip.finish();
}

}  // namespace lgn::array_internal
