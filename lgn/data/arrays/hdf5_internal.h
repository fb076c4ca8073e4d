#pragma once

// Handles of the HDF5 library that close themselves; not installed.

#include <hdf5.h>

#include <utility>

#include "lgn/core/error.h"

namespace lgn::array_internal {

/// Something of HDF5 that is open, and how to close it. The constructor throws Error when opening
/// failed.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle(hid_t id, Close close) : id_(id), close_(close) {
    if (id_ < 0)
      throw Error("HDF5 cannot make sense of it", "the file is damaged or cut off: write it again");
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;

  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

/// Errors of HDF5 are not printed while this lives.
class QuietHdf5 {
 public:
  QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Throws Error where a call of HDF5 failed.
inline void check_hdf5(herr_t status) {
  static_cast<void>(Handle(status, [](hid_t) { return 0; }));
}

}  // namespace lgn::array_internal
