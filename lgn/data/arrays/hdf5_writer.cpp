#include <fmt/format.h>

#include <algorithm>

#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/array_formats_internal.h"
#include "lgn/data/arrays/hdf5_internal.h"
#include "lgn/version.h"

namespace lgn::array_internal {
namespace {

/// MATLAB's own header stands in front of the HDF5 file proper.
constexpr std::size_t kMatlabBytes = 512;

Handle simple_space(const std::vector<std::size_t>& shape) {
  if (shape.empty()) return Handle(H5Screate(H5S_SCALAR), H5Sclose);
  const std::vector<hsize_t> sizes(shape.begin(), shape.end());
  return Handle(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose);
}

Handle create(hid_t place, const std::string& name, hid_t type,
              const std::vector<std::size_t>& shape) {
  const Handle space = simple_space(shape);
  // A name may be a path: a/x stands in the group a.
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  check_hdf5(H5Pset_create_intermediate_group(links, 1));
  return Handle(H5Dcreate2(place, name.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT),
                H5Dclose);
}

void write(hid_t dataset, hid_t memory_type, const void* values) {
  check_hdf5(H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

/// What MATLAB takes a dataset for.
void set_class(hid_t dataset, const std::string& name) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  check_hdf5(H5Tset_size(type, name.size()));
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(dataset, "MATLAB_class", type, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  check_hdf5(H5Awrite(attribute, type, name.data()));
}

void set_number(hid_t dataset, const char* name, hid_t type, int value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  check_hdf5(H5Awrite(attribute, H5T_NATIVE_INT, &value));
}

void write_numbers(hid_t file, const std::string& name, const NumberArray& array) {
  const Handle dataset = create(file, name, H5T_IEEE_F64LE, array.shape);
  if (!array.values.empty()) write(dataset, H5T_NATIVE_DOUBLE, array.values.data());
}

void write_texts(hid_t file, const std::string& name, const std::vector<std::string>& texts) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  check_hdf5(H5Tset_size(type, H5T_VARIABLE));
  check_hdf5(H5Tset_cset(type, H5T_CSET_UTF8));
  const Handle dataset = create(file, name, type, {texts.size()});
  std::vector<std::string> valid;
  for (const auto& text : texts) valid.push_back(valid_utf8(text));
  std::vector<const char*> pointers;
  for (const auto& text : valid) pointers.push_back(text.c_str());
  if (!pointers.empty()) write(dataset, type, pointers.data());
}

/// Column-major, dimensions in reverse: what HDF5 sees is row-major again.
void write_matlab_numbers(hid_t file, const std::string& name, const NumberArray& array) {
  std::vector<std::size_t> shape = array.shape;
  shape.resize(std::max<std::size_t>(shape.size(), 2), 1);
  const std::vector<double> values = to_column_major(array.values, shape);
  std::reverse(shape.begin(), shape.end());
  const Handle dataset = create(file, name, H5T_IEEE_F64LE, shape);
  set_class(dataset, "double");
  if (!values.empty()) write(dataset, H5T_NATIVE_DOUBLE, values.data());
}

/// A cell array: references to char arrays that stand in a group of their own.
void write_matlab_texts(hid_t file, hid_t group, const std::string& name,
                        const std::vector<std::string>& texts) {
  const Handle cells = create(file, name, H5T_STD_REF_OBJ, {texts.size(), 1});
  set_class(cells, "cell");
  std::vector<hobj_ref_t> references(texts.size());
  for (std::size_t k = 0; k < texts.size(); ++k) {
    const std::string cell = fmt::format("{}{}", name, k);
    std::vector<std::uint16_t> units = to_utf16(texts[k]);
    {
      const bool is_empty = units.empty();
      // MATLAB stores the shape of what is empty as its contents.
      const Handle dataset = is_empty ? create(group, cell, H5T_STD_U64LE, {2})
                                      : create(group, cell, H5T_STD_U16LE, {units.size(), 1});
      set_class(dataset, "char");
      set_number(dataset, "MATLAB_int_decode", H5T_STD_I32LE, 2);
      if (is_empty) set_number(dataset, "MATLAB_empty", H5T_STD_U8LE, 1);
      if (is_empty) units.assign(2, 0);
      write(dataset, H5T_NATIVE_UINT16, units.data());
    }
    check_hdf5(H5Rcreate(&references[k], group, cell.c_str(), H5R_OBJECT, -1));
  }
  if (!references.empty()) write(cells, H5T_STD_REF_OBJ, references.data());
}

std::string matlab_header() {
  std::string header = fmt::format("MATLAB 7.3 MAT-file, written by lgn {}", version);
  header.resize(116, ' ');
  header.append(8, '\0');
  store(header, std::uint16_t{0x0200});
  header += "IM";
  header.resize(kMatlabBytes, '\0');
  return header;
}

}  // namespace

std::string encode_hdf5(const ArrayFile& arrays, bool is_matlab) {
  const QuietHdf5 quiet;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t growth = std::size_t{1} << 20;
  check_hdf5(H5Pset_fapl_core(access, growth, 0));
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  if (is_matlab) check_hdf5(H5Pset_userblock(creation, kMatlabBytes));
  const Handle file(H5Fcreate("image", H5F_ACC_TRUNC, creation, access), H5Fclose);
  for (const auto& [name, array] : arrays.numbers)
    is_matlab ? write_matlab_numbers(file, name, array) : write_numbers(file, name, array);
  if (is_matlab && !arrays.texts.empty()) {
    const Handle group(H5Gcreate2(file, "#refs#", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    for (const auto& [name, texts] : arrays.texts) write_matlab_texts(file, group, name, texts);
  }
  if (!is_matlab)
    for (const auto& [name, texts] : arrays.texts) write_texts(file, name, texts);
  check_hdf5(H5Fflush(file, H5F_SCOPE_LOCAL));
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  check_hdf5(size < 0 ? -1 : 0);
  // The image is without what stands in front of it.
  std::string bytes = is_matlab ? matlab_header() : std::string();
  const std::size_t before = bytes.size();
  bytes.resize(before + static_cast<std::size_t>(size));
  const ssize_t got =
      H5Fget_file_image(file, bytes.data() + before, static_cast<std::size_t>(size));
  check_hdf5(got == size ? 0 : -1);
  return bytes;
}

}  // namespace lgn::array_internal
