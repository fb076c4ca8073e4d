#include "lgn/data/arrays/hdf5_slices.h"

#include <cmath>

#include "lgn/data/arrays/hdf5_internal.h"

namespace lgn {

using array_internal::check_hdf5;
using array_internal::Handle;

struct Hdf5Slices::File {
  File(const std::string& path, hid_t opened) : name(path), file(opened, H5Fclose) {}

  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(problem,
                "slices are read of x [run, sample, channel] and t, as lgn generate writes them",
                {name, 0, 0});
  }
  bool has(const char* array) const { return H5Lexists(file, array, H5P_DEFAULT) > 0; }
  std::vector<hsize_t> shape(const char* array) const {
    if (!has(array)) fail(std::string("there is no array ") + array);
    const Handle dataset(H5Dopen2(file, array, H5P_DEFAULT), H5Dclose);
    const Handle space(H5Dget_space(dataset), H5Sclose);
    std::vector<hsize_t> sizes(
        static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
    check_hdf5(H5Sget_simple_extent_dims(space, sizes.data(), nullptr));
    return sizes;
  }
  /// A block of an array, from `first` on.
  void read(const char* array, const std::vector<hsize_t>& first, const std::vector<hsize_t>& count,
            double* values) const {
    const Handle dataset(H5Dopen2(file, array, H5P_DEFAULT), H5Dclose);
    const Handle space(H5Dget_space(dataset), H5Sclose);
    check_hdf5(
        H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr));
    const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                        H5Sclose);
    check_hdf5(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values));
  }

  std::string name;
  Handle file;
  std::vector<hsize_t> of_x, of_t;
};

namespace {

hid_t opened(const std::string& path) {
  const array_internal::QuietHdf5 quiet;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0)
    throw Error("it is no HDF5 file that can be read", "slices are read of HDF5 files alone",
                {path, 0, 0});
  return file;
}

}  // namespace

Hdf5Slices::Hdf5Slices(const std::string& path)
    : file_(std::make_unique<File>(path, opened(path))) {
  File& file = *file_;
  file.of_x = file.shape("x");
  file.of_t = file.shape("t");
  if (file.has("u")) file.fail("there are inputs, u");
  if (file.of_x.size() == 2) file.of_x.insert(file.of_x.begin(), 1);
  const bool same_times = file.of_t.size() == 1;
  if (file.of_x.size() != 3 || file.of_t.empty() || file.of_t.size() > 2 ||
      file.of_t.back() != file.of_x[1] || (!same_times && file.of_t[0] != file.of_x[0]))
    file.fail("x and t do not fit each other");
}

Hdf5Slices::~Hdf5Slices() = default;

Index Hdf5Slices::channels() const { return static_cast<Index>(file_->of_x[2]); }
Index Hdf5Slices::runs() const { return static_cast<Index>(file_->of_x[0]); }

std::vector<std::string> Hdf5Slices::names() const {
  std::vector<std::string> names;
  if (!file_->has("channels")) {
    for (Index c = 1; c <= channels(); ++c) names.push_back("x" + std::to_string(c));
    return names;
  }
  if (file_->shape("channels") != std::vector<hsize_t>{file_->of_x[2]})
    file_->fail("channels do not name what x holds");
  const Handle dataset(H5Dopen2(file_->file, "channels", H5P_DEFAULT), H5Dclose);
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (H5Tis_variable_str(type) <= 0) file_->fail("channels are no texts of variable length");
  const Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
  check_hdf5(H5Tset_size(memory, H5T_VARIABLE));
  check_hdf5(H5Tset_cset(memory, H5Tget_cset(type)));
  std::vector<char*> texts(static_cast<std::size_t>(channels()), nullptr);
  check_hdf5(H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()));
  for (const char* text : texts) names.emplace_back(text == nullptr ? "" : text);
  const Handle space(H5Dget_space(dataset), H5Sclose);
  check_hdf5(H5Dvlen_reclaim(memory, space, H5P_DEFAULT, texts.data()));
  return names;
}

Vector Hdf5Slices::times(Index run) const {
  const bool same = file_->of_t.size() == 1;
  Vector times(static_cast<Index>(file_->of_t.back()));
  const hsize_t samples = file_->of_t.back();
  if (same)
    file_->read("t", {0}, {samples}, times.data());
  else
    file_->read("t", {static_cast<hsize_t>(run), 0}, {1, samples}, times.data());
  // Shorter runs end with times that are no numbers.
  Index count = times.size();
  while (count > 0 && std::isnan(times[count - 1])) --count;
  return times.head(count);
}

Matrix Hdf5Slices::states(Index run, Index first, Index count) const {
  const Index samples = times(run).size();
  Matrix states(count, samples);
  if (count == 0) return states;
  std::vector<hsize_t> begin{static_cast<hsize_t>(run), 0, static_cast<hsize_t>(first)},
      sizes{1, static_cast<hsize_t>(samples), static_cast<hsize_t>(count)};
  if (file_->shape("x").size() == 2) {
    begin.erase(begin.begin());
    sizes.erase(sizes.begin());
  }
  file_->read("x", begin, sizes, states.data());
  return states;
}

}  // namespace lgn
