#include <fmt/format.h>

#include <algorithm>

#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/array_formats_internal.h"
#include "lgn/data/arrays/hdf5_internal.h"
#include "lgn/data/arrays/separate_process_internal.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn::array_internal {
namespace {

/// Reads the datasets of one file, those in groups under their path: a/x.
class Reader {
 public:
  Reader(std::string_view bytes, bool is_matlab, const WantedNames& wanted)
      : file_bytes_(bytes.size()), wanted_(wanted), file_(open(bytes)) {
    result_.is_matlab = is_matlab;
  }

  ArrayFile read() {
    read_group(file_, "", 0);
    return std::move(result_);
  }

 private:
  static Handle open(std::string_view bytes) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    constexpr std::size_t growth = std::size_t{1} << 16;
    check_hdf5(H5Pset_fapl_core(access, growth, 0));
    // The library copies the image; it only reads through this pointer.
    check_hdf5(H5Pset_file_image(access, const_cast<char*>(bytes.data()), bytes.size()));
    return Handle(H5Fopen("image", H5F_ACC_RDONLY, access), H5Fclose);
  }

  /// What stands in a group: `prefix` is its path as names show it.
  void read_group(hid_t group, const std::string& prefix, int depth) {
    // An exception must not cross the C library, so names are gathered first.
    std::vector<std::pair<std::string, bool>> names;
    const auto add = [](hid_t, const char* name, const H5L_info_t* info, void* into) -> herr_t {
      static_cast<std::vector<std::pair<std::string, bool>>*>(into)->emplace_back(
          name, info->type == H5L_TYPE_HARD);
      return 0;
    };
    check_hdf5(H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add, &names));
    for (const auto& [link, is_hard] : names) {
      const std::string name = prefix + link;
      if (wanted_ && !wanted_(name))
        result_.unread[name] = "a dataset";
      else if (!is_hard)
        result_.unread[name] = "a link, which is not followed";
      else
        read_object(group, link, name, depth);
    }
  }

  void read_object(hid_t group, const std::string& link, const std::string& name, int depth) {
    // Links may lead in circles.
    constexpr int deepest = 8;
    constexpr std::size_t most_groups = 10000;
    const Handle object(H5Oopen(group, link.c_str(), H5P_DEFAULT), H5Oclose);
    const bool is_group = H5Iget_type(object) == H5I_GROUP;
    // What MATLAB's cells refer to, and its objects.
    if (is_group && result_.is_matlab && link.starts_with('#')) return;
    if (is_group && (depth == deepest || ++groups_ > most_groups)) {
      result_.unread[name] = "a group";
      return;
    }
    if (is_group) return read_group(object, name + (result_.is_matlab ? '.' : '/'), depth + 1);
    try {
      if (H5Iget_type(object) == H5I_DATASET)
        read_dataset(name, object);
      else
        result_.unread[name] = "no dataset";
    } catch (const Error& error) {
      throw Error(fmt::format("dataset {}: {}", csv_internal::quote(name), error.problem()),
                  error.help());
    }
  }

  void read_dataset(const std::string& name, hid_t dataset) {
    const auto unread = [&](const char* what) { result_.unread[name] = what; };
    if (is_elsewhere(dataset)) return unread("in another file, which is not opened");
    const Handle type(H5Dget_type(dataset), H5Tclose);
    const std::string matlab_class = attribute(dataset, "MATLAB_class");
    switch (H5Tget_class(type)) {
      case H5T_INTEGER:
      case H5T_FLOAT:
      case H5T_ENUM:
        if (H5Aexists(dataset, "MATLAB_sparse") > 0) return unread("a sparse matrix");
        if (matlab_class == "char")
          result_.texts[name] = characters(dataset);
        else
          result_.numbers[name] = numbers(dataset);
        return;
      case H5T_STRING:
        result_.texts[name] = strings(dataset, type);
        return;
      case H5T_REFERENCE:
        if (matlab_class == "cell" && H5Tequal(type, H5T_STD_REF_OBJ) > 0)
          return read_cells(name, dataset);
        return unread("references");
      case H5T_COMPOUND:
        return unread("compound values, such as complex numbers");
      default:
        return unread("values of another type");
    }
  }

  static bool is_elsewhere(hid_t dataset) {
    const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
    return H5Pget_layout(creation) == H5D_VIRTUAL || H5Pget_external_count(creation) != 0;
  }

  /// The dimensions as the file's user knows them: MATLAB's are stored in reverse.
  std::vector<std::size_t> shape_of(hid_t dataset) const {
    const Handle space(H5Dget_space(dataset), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space);
    check_hdf5(rank);
    if (H5Sget_simple_extent_type(space) == H5S_NULL) return {0};
    std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
    check_hdf5(H5Sget_simple_extent_dims(space, sizes.data(), nullptr));
    if (result_.is_matlab) std::reverse(sizes.begin(), sizes.end());
    return {sizes.begin(), sizes.end()};
  }

  /// Number of elements, after a check that they can be there.
  std::size_t checked_count(const std::vector<std::size_t>& shape, std::size_t each) const {
    const std::size_t count = count_of(shape);
    check_unpacked(count * std::min<std::size_t>(each, 16), file_bytes_);
    return count;
  }

  NumberArray numbers(hid_t dataset) const {
    NumberArray array{shape_of(dataset), {}};
    array.values.resize(checked_count(array.shape, sizeof(double)));
    if (array.values.empty()) return array;
    check_hdf5(
        H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()));
    if (result_.is_matlab) array.values = to_row_major(std::move(array.values), array.shape);
    return array;
  }

  std::vector<std::string> strings(hid_t dataset, hid_t type) const {
    const std::size_t count = count_of(shape_of(dataset));
    constexpr std::size_t most = 1000000;  // names of channels or runs
    if (count > most) throw Error(fmt::format("{} texts are no list of names", count));
    std::vector<std::string> texts(count);
    if (count == 0) return texts;
    const Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
    check_hdf5(H5Tset_cset(memory, H5Tget_cset(type)));
    if (H5Tis_variable_str(type) > 0) {
      check_hdf5(H5Tset_size(memory, H5T_VARIABLE));
      const Handle space(H5Dget_space(dataset), H5Sclose);
      std::vector<char*> pointers(count, nullptr);
      check_hdf5(H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()));
      for (std::size_t k = 0; k < count; ++k)
        if (pointers[k] != nullptr) texts[k] = valid_utf8(pointers[k]);
      check_hdf5(H5Dvlen_reclaim(memory, space, H5P_DEFAULT, pointers.data()));
      return texts;
    }
    const std::size_t width = H5Tget_size(type);
    if (width > file_bytes_) throw Error("a text is longer than the file");
    check_unpacked(count * width, file_bytes_);
    std::string block(count * width, '\0');
    check_hdf5(H5Tset_size(memory, width));
    check_hdf5(H5Tset_strpad(memory, H5Tget_strpad(type)));
    check_hdf5(H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, block.data()));
    for (std::size_t k = 0; k < count; ++k) {
      const std::string text = block.substr(k * width, width);
      texts[k] = valid_utf8(trimmed(text.substr(0, text.find('\0'))));
    }
    return texts;
  }

  /// The rows of one of MATLAB's char arrays.
  std::vector<std::string> characters(hid_t dataset) const {
    if (H5Aexists(dataset, "MATLAB_empty") > 0) return {std::string()};
    const NumberArray array = numbers(dataset);
    const std::size_t rows = array.shape.empty() ? 1 : array.shape[0];
    const std::size_t columns = rows == 0 ? 0 : array.values.size() / rows;
    std::vector<std::string> texts;
    for (std::size_t r = 0; r < rows && columns > 0; ++r) {
      std::vector<std::uint16_t> units(columns);
      for (std::size_t c = 0; c < columns; ++c)
        units[c] =
            static_cast<std::uint16_t>(std::clamp(array.values[r * columns + c], 0., 65535.));
      texts.push_back(trimmed(from_utf16(units)));
    }
    return texts;
  }

  /// MATLAB's cells are references to datasets.
  void read_cells(const std::string& name, hid_t dataset) {
    std::vector<hobj_ref_t> cells(checked_count(shape_of(dataset), sizeof(hobj_ref_t)));
    std::vector<std::string> texts;
    if (!cells.empty())
      check_hdf5(H5Dread(dataset, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells.data()));
    for (const hobj_ref_t& cell : cells) {
      const Handle object(H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, &cell), H5Oclose);
      const bool is_text =
          H5Iget_type(object) == H5I_DATASET && attribute(object, "MATLAB_class") == "char";
      const auto rows =
          is_text && !is_elsewhere(object) ? characters(object) : std::vector<std::string>{};
      if (rows.size() != 1) {
        result_.unread[name] = "a cell array of other things than text";
        return;
      }
      texts.push_back(rows.front());
    }
    result_.texts[name] = std::move(texts);
  }

  /// A text attribute of fixed length; empty where there is none.
  static std::string attribute(hid_t object, const char* name) {
    if (H5Aexists(object, name) <= 0) return {};
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute), H5Tclose);
    const Handle space(H5Aget_space(attribute), H5Sclose);
    constexpr std::size_t most = 64;
    const std::size_t size = H5Tget_size(type);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 || size > most ||
        H5Sget_simple_extent_npoints(space) != 1)
      return {};
    std::string text(size, '\0');
    check_hdf5(H5Aread(attribute, type, text.data()));
    return trimmed(text.substr(0, text.find('\0')));
  }

  std::size_t file_bytes_;
  const WantedNames& wanted_;
  Handle file_;
  std::size_t groups_ = 0;  ///< read so far
  ArrayFile result_;
};

}  // namespace

ArrayFile decode_hdf5(std::string_view bytes, bool is_matlab, const WantedNames& wanted) {
  // Files are read at tens of megabytes a second, unless one sends the library in circles.
  const std::size_t seconds = 10 + bytes.size() / 1000000;
  // Numbers as the library unpacks them, as we take them, and in another order.
  const std::size_t memory = 3 * most_unpacked(bytes.size());
  return decode_in_child(
      [&] {
        const QuietHdf5 quiet;
        return Reader(bytes, is_matlab, wanted).read();
      },
      {seconds, memory},
      Error("the HDF5 library cannot cope with it", "the file is damaged: write it again"));
}

}  // namespace lgn::array_internal
