# Writes the bytes of FILE as the constant NAME into the source OUTPUT.
file(READ "${FILE}" bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,){24})" "\\1\n" bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include <string_view>

namespace lgn::embedded {
namespace {
const unsigned char bytes[] = {
${bytes}0};
}  // namespace
extern const std::string_view ${NAME};
const std::string_view ${NAME}(reinterpret_cast<const char*>(bytes), sizeof bytes - 1);
}  // namespace lgn::embedded
")
