#include "petsc/ranks.h"

#include <chrono>
#include <thread>

#include "lgn/core/error.h"

namespace lgn::petsc {

void wait_for(std::vector<MPI_Request>& requests) {
  constexpr int looks_at_once = 100;
  constexpr std::chrono::microseconds pause(10);
  for (int look = 0;; ++look) {
    int done = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) return;
    if (look >= looks_at_once) std::this_thread::sleep_for(pause);
  }
}

namespace {

void wait_for_one(MPI_Request request) {
  std::vector<MPI_Request> requests{request};
  wait_for(requests);
}

}  // namespace

Ranks::Ranks(MPI_Comm comm) : comm_(comm) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

std::vector<int> Ranks::sizes_on_all(std::size_t bytes) const {
  const double all = static_cast<double>(sum(static_cast<long double>(bytes)));
  if (all > 2147483647.0)
    throw Error("a message of more than 2 GiB", "use fewer ranks, or shorter runs");
  const int mine = static_cast<int>(bytes);
  std::vector<int> sizes(static_cast<std::size_t>(size_));
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(&mine, 1, MPI_INT, sizes.data(), 1, MPI_INT, comm_, &request);
  wait_for_one(request);
  return sizes;
}

std::vector<char> Ranks::gather_bytes(const void* mine, std::size_t bytes, bool on_all) const {
  const std::vector<int> sizes = sizes_on_all(bytes);
  std::vector<int> places;
  int total = 0;
  for (const int size : sizes) {
    places.push_back(total);
    total += size;
  }
  std::vector<char> all(on_all || is_root() ? static_cast<std::size_t>(total) : 0);
  const int own = static_cast<int>(bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  if (on_all)
    MPI_Iallgatherv(mine, own, MPI_BYTE, all.data(), sizes.data(), places.data(), MPI_BYTE, comm_,
                    &request);
  else
    MPI_Igatherv(mine, own, MPI_BYTE, all.data(), sizes.data(), places.data(), MPI_BYTE, 0, comm_,
                 &request);
  wait_for_one(request);
  return all;
}

std::vector<char> Ranks::scatter_bytes(const std::vector<char>& all,
                                       const std::vector<int>& sizes) const {
  int mine = 0;
  MPI_Scatter(sizes.data(), 1, MPI_INT, &mine, 1, MPI_INT, 0, comm_);
  std::vector<int> places;
  int total = 0;
  for (const int size : sizes) {
    places.push_back(total);
    total += size;
  }
  std::vector<char> part(static_cast<std::size_t>(mine));
  MPI_Scatterv(all.data(), sizes.data(), places.data(), MPI_BYTE, part.data(), mine, MPI_BYTE, 0,
               comm_);
  return part;
}

std::vector<char> Ranks::share_bytes(std::vector<char> bytes) const {
  unsigned long size = bytes.size();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&size, 1, MPI_UNSIGNED_LONG, 0, comm_, &request);
  wait_for_one(request);
  bytes.resize(size);
  constexpr unsigned long most = 1ul << 30;
  for (unsigned long first = 0; first < size; first += most) {
    MPI_Ibcast(bytes.data() + first, static_cast<int>(std::min(most, size - first)), MPI_BYTE, 0,
               comm_, &request);
    wait_for_one(request);
  }
  return bytes;
}

double Ranks::largest(double value) const {
  double result = value;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&value, &result, 1, MPI_DOUBLE, MPI_MAX, comm_, &request);
  wait_for_one(request);
  return result;
}

long double Ranks::sum(long double value) const {
  std::vector<long double> all(static_cast<std::size_t>(size_));
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(&value, 1, MPI_LONG_DOUBLE, all.data(), 1, MPI_LONG_DOUBLE, comm_, &request);
  wait_for_one(request);
  long double result = 0;
  for (const long double one : all) result += one;
  return result;
}

void Ranks::on_root(const std::function<void()>& work) const {
  // How it ended, then problem and remedy.
  std::vector<char> words;
  if (is_root()) {
    const auto put = [&](char how, const Error& error) {
      words.push_back(how);
      for (const std::string& text : {error.problem(), error.help()}) {
        words.insert(words.end(), text.begin(), text.end());
        words.push_back('\0');
      }
    };
    try {
      work();
    } catch (const NotIdentified& error) {
      put('n', error);
    } catch (const Error& error) {
      put('e', error);
    }
  }
  words = share(std::move(words));
  if (words.empty()) return;
  const std::string problem(words.data() + 1), help(words.data() + 2 + problem.size());
  if (words.front() == 'n') throw NotIdentified(problem, help);
  throw Error(problem, help);
}

}  // namespace lgn::petsc
