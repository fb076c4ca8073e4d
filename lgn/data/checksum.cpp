#include "lgn/data/checksum.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>

#include "lgn/core/error.h"

namespace lgn {

std::string sha256_of_files(const std::vector<std::string>& paths) {
  if (std::find(paths.begin(), paths.end(), "-") != paths.end()) return {};
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(),
                                                                   EVP_MD_CTX_free);
  bool good = context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  std::vector<char> block(1 << 16);
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error("cannot be read", {}, {path, 0, 0});
    while (good && file) {
      file.read(block.data(), static_cast<std::streamsize>(block.size()));
      good = EVP_DigestUpdate(context.get(), block.data(),
                              static_cast<std::size_t>(file.gcount())) == 1;
    }
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  good = good && EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1;
  if (!good) throw Error("SHA-256 is not available in this system's cryptography library");
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace lgn
