#include "lgn/data/checksum.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>

#include "lgn/core/error.h"

namespace lgn {

namespace fs = std::filesystem;

std::string sha256_of_files(const std::vector<std::string>& paths) {
  const auto is_stream = [](const std::string& path) {
    std::error_code ignored;
    return path == "-" || (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored) &&
                           !fs::is_directory(path, ignored));
  };
  if (std::any_of(paths.begin(), paths.end(), is_stream)) return {};
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(),
                                                                   EVP_MD_CTX_free);
  bool good = context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  std::vector<char> block(1 << 16);
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    while (good && file) {
      file.read(block.data(), static_cast<std::streamsize>(block.size()));
      good = EVP_DigestUpdate(context.get(), block.data(),
                              static_cast<std::size_t>(file.gcount())) == 1;
    }
    if (!file.eof()) throw Error("cannot be read", {}, {path, 0, 0});
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  good = good && EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1;
  if (!good) throw Error("SHA-256 is not available in this system's cryptography library");
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::string fingerprint(const Dataset& data) {
  // FNV-1a.
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](std::uint64_t bits) { hash = (hash ^ bits) * 0x100000001b3u; };
  const auto add_all = [&](const double* values, Index count) {
    add(static_cast<std::uint64_t>(count));
    for (Index k = 0; k < count; ++k) {
      const auto bits = std::bit_cast<std::uint64_t>(values[k]);
      add(bits & 0xffffffffu);
      add(bits >> 32);
    }
  };
  for (const auto& name : data.channels()) {
    for (const char c : name) add(static_cast<unsigned char>(c));
    add(0);
  }
  for (const auto& run : data.runs()) {
    add_all(run.times().data(), run.times().size());
    add_all(run.states().data(), run.states().size());
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace lgn
