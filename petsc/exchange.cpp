#include "petsc/exchange.h"

#include <algorithm>

namespace lgn::petsc {

Exchange::Exchange(const Ranks& ranks, const std::vector<Wanted>& wanted,
                   const std::function<Index(std::int64_t)>& find)
    : comm_(ranks.comm()) {
  const auto count = static_cast<std::size_t>(ranks.size());
  std::vector<std::vector<std::int64_t>> keys(count);
  std::vector<Neighbour> in(count);
  for (const Wanted& one : wanted) {
    keys[static_cast<std::size_t>(one.owner)].push_back(one.key);
    in[static_cast<std::size_t>(one.owner)].places.push_back(one.target);
  }
  const auto asked = ranks.swap(keys);
  for (std::size_t r = 0; r < count; ++r) {
    if (!in[r].places.empty()) in_.push_back({static_cast<int>(r), std::move(in[r].places)});
    if (asked[r].empty()) continue;
    out_.push_back({static_cast<int>(r), {}});
    for (const std::int64_t key : asked[r]) out_.back().places.push_back(find(key));
  }
}

Index Exchange::total(const std::vector<Neighbour>& neighbours) {
  Index sum = 0;
  for (const Neighbour& one : neighbours) sum += std::ssize(one.places);
  return sum;
}

template <class Scalar>
void Exchange::run(const Scalar* from, Index columns, Scalar* to) const {
  constexpr int tag = 1;
  buffer_.resize(static_cast<std::size_t>((sent() + received()) * columns) * sizeof(Scalar));
  auto* next = reinterpret_cast<Scalar*>(buffer_.data());
  std::vector<MPI_Request> requests;
  std::vector<const Scalar*> arrived;
  const auto bytes = [&](const Neighbour& one) {
    return static_cast<int>(one.places.size() * static_cast<std::size_t>(columns) * sizeof(Scalar));
  };
  for (const Neighbour& one : in_) {
    arrived.push_back(next);
    MPI_Irecv(next, bytes(one), MPI_BYTE, one.rank, tag, comm_, &requests.emplace_back());
    next += std::ssize(one.places) * columns;
  }
  for (const Neighbour& one : out_) {
    Scalar* const begin = next;
    for (const Index place : one.places) next = std::copy_n(from + place * columns, columns, next);
    MPI_Isend(begin, bytes(one), MPI_BYTE, one.rank, tag, comm_, &requests.emplace_back());
  }
  wait_for(requests);
  for (std::size_t k = 0; k < in_.size(); ++k) {
    const Scalar* source = arrived[k];
    for (const Index place : in_[k].places) {
      std::copy_n(source, columns, to + place * columns);
      source += columns;
    }
  }
}

template void Exchange::run(const double*, Index, double*) const;
template void Exchange::run(const float*, Index, float*) const;

}  // namespace lgn::petsc
