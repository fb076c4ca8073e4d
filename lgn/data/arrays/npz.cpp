#include <fmt/format.h>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/array_formats_internal.h"
#include "lgn/data/arrays/zip_internal.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn::array_internal {

ArrayFile decode_npz(std::string_view bytes, const WantedNames& wanted) {
  constexpr std::string_view ending = ".npy";
  ArrayFile file;
  const ZipReader zip(bytes);
  for (std::size_t member = 0; member < zip.size(); ++member) {
    const std::string file_name = zip.name(member);
    const bool is_array = file_name.ends_with(ending);
    const std::string name =
        is_array ? file_name.substr(0, file_name.size() - ending.size()) : file_name;
    const bool is_wanted = is_array && (!wanted || wanted(name));
    if (!is_wanted) file.unread[name] = is_array ? "an array" : "no NPY array";
    if (!is_wanted) continue;
    if (file.numbers.contains(name) || file.texts.contains(name))
      throw Error(fmt::format("two members are named {}", csv_internal::quote(file_name)),
                  "write the file again");
    try {
      decode_npy(zip.unpack(member), name, file);
    } catch (const Error& error) {
      throw Error(fmt::format("array {}: {}", csv_internal::quote(name), error.problem()),
                  error.help());
    }
  }
  return file;
}

std::string encode_npz(const ArrayFile& arrays) {
  std::map<std::string, std::string> members;
  for (const auto& [name, array] : arrays.numbers) members[name + ".npy"] = encode_npy(array);
  for (const auto& [name, texts] : arrays.texts) members[name + ".npy"] = encode_npy(texts);
  return zip_of(members);
}

}  // namespace lgn::array_internal
