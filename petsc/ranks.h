#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn::petsc {

/// Waits for messages: looks for a few microseconds, then sleeps between looks, so that what else runs on the cores, ranks among it, goes on.
void wait_for(std::vector<MPI_Request>& requests);

/// The processes that work together, and what they tell each other as lists. Every rank calls each function.
class Ranks {
 public:
  explicit Ranks(MPI_Comm comm);

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_root() const { return rank_ == 0; }

  /// The lists of all ranks, one after the other, on rank 0; on others nothing.
  template <class T>
  std::vector<T> gather(const std::vector<T>& mine) const;
  /// The same on all.
  template <class T>
  std::vector<T> gather_on_all(const std::vector<T>& mine) const;
  /// Of one list for each rank, on rank 0, that of this one.
  template <class T>
  std::vector<T> scatter(const std::vector<std::vector<T>>& lists) const;
  /// Rank 0's list on all.
  template <class T>
  std::vector<T> share(std::vector<T> list) const;
  /// A list for each rank, against those that they have for this one.
  template <class T>
  std::vector<std::vector<T>> swap(const std::vector<std::vector<T>>& lists) const;

  /// The largest of one number from each; their sum, the same on all whatever way they arrive.
  double largest(double value) const;
  long double sum(long double value) const;

  /// Does work on rank 0 alone; where it throws an Error all ranks do.
  void on_root(const std::function<void()>& work) const;

 private:
  std::vector<int> sizes_on_all(std::size_t bytes) const;
  std::vector<char> gather_bytes(const void* mine, std::size_t bytes, bool on_all) const;
  std::vector<char> scatter_bytes(const std::vector<char>& all,
                                  const std::vector<int>& sizes) const;
  std::vector<char> share_bytes(std::vector<char> bytes) const;

  MPI_Comm comm_;
  int rank_ = 0, size_ = 1;
};

/// Bytes as numbers.
template <class T>
std::vector<T> numbers_in(const std::vector<char>& bytes) {
  std::vector<T> numbers(bytes.size() / sizeof(T));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(numbers.data()));
  return numbers;
}

template <class T>
std::vector<T> Ranks::gather(const std::vector<T>& mine) const {
  return numbers_in<T>(gather_bytes(mine.data(), mine.size() * sizeof(T), false));
}

template <class T>
std::vector<T> Ranks::gather_on_all(const std::vector<T>& mine) const {
  return numbers_in<T>(gather_bytes(mine.data(), mine.size() * sizeof(T), true));
}

template <class T>
std::vector<T> Ranks::scatter(const std::vector<std::vector<T>>& lists) const {
  std::vector<char> all;
  std::vector<int> sizes;
  for (const auto& list : lists) {
    const auto* begin = reinterpret_cast<const char*>(list.data());
    all.insert(all.end(), begin, begin + list.size() * sizeof(T));
    sizes.push_back(static_cast<int>(list.size() * sizeof(T)));
  }
  return numbers_in<T>(scatter_bytes(all, sizes));
}

template <class T>
std::vector<T> Ranks::share(std::vector<T> list) const {
  const auto* begin = reinterpret_cast<const char*>(list.data());
  return numbers_in<T>(share_bytes({begin, begin + list.size() * sizeof(T)}));
}

template <class T>
std::vector<std::vector<T>> Ranks::swap(const std::vector<std::vector<T>>& lists) const {
  const auto count = static_cast<std::size_t>(size_);
  std::vector<int> sent(count), got(count), from(count), to(count);
  std::vector<T> out;
  for (std::size_t r = 0; r < count; ++r) {
    from[r] = static_cast<int>(out.size() * sizeof(T));
    sent[r] = static_cast<int>(lists[r].size() * sizeof(T));
    out.insert(out.end(), lists[r].begin(), lists[r].end());
  }
  MPI_Alltoall(sent.data(), 1, MPI_INT, got.data(), 1, MPI_INT, comm_);
  int total = 0;
  for (std::size_t r = 0; r < count; total += got[r++]) to[r] = total;
  std::vector<T> in(static_cast<std::size_t>(total) / sizeof(T));
  MPI_Alltoallv(out.data(), sent.data(), from.data(), MPI_BYTE, in.data(), got.data(), to.data(),
                MPI_BYTE, comm_);
  std::vector<std::vector<T>> result(count);
  for (std::size_t r = 0; r < count; ++r) {
    const T* begin = in.data() + static_cast<std::size_t>(to[r]) / sizeof(T);
    result[r].assign(begin, begin + static_cast<std::size_t>(got[r]) / sizeof(T));
  }
  return result;
}

}  // namespace lgn::petsc
