#include <fmt/format.h>
#include <zip.h>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/inflate_internal.h"
#include "lgn/data/arrays/zip_internal.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn::array_internal {
namespace {

/// libzip's account of what went wrong.
class ZipError {
 public:
  ZipError() { zip_error_init(&error_); }
  ~ZipError() { zip_error_fini(&error_); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;

  zip_error_t* get() { return &error_; }
  std::string text() { return zip_error_strerror(&error_); }

 private:
  zip_error_t error_ = {};
};

struct FreeSource {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Source = std::unique_ptr<zip_source_t, FreeSource>;

struct CloseMember {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

struct DiscardArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, DiscardArchive>;

/// The archive takes the source over only where it can be opened.
Archive open_archive(Source source, int flags) {
  ZipError error;
  Archive archive(source ? zip_open_from_source(source.get(), flags, error.get()) : nullptr);
  if (!archive)
    throw Error("the ZIP archive cannot be read: " + error.text(),
                "the file is damaged or cut off: write it again");
  static_cast<void>(source.release());
  return archive;
}

Source buffer(std::string_view bytes) {
  constexpr int stays_ours = 0;
  return Source(zip_source_buffer_create(bytes.data(), bytes.size(), stays_ours, nullptr));
}

void check_write(bool is_done, zip_t* archive) {
  if (!is_done) throw Error(fmt::format("no ZIP archive can be made: {}", zip_strerror(archive)));
}

std::string contents_of(zip_source_t* source) {
  zip_stat_t status;
  zip_stat_init(&status);
  std::string bytes;
  bool is_whole = zip_source_stat(source, &status) == 0 && zip_source_open(source) == 0;
  if (is_whole) {
    bytes.resize(status.size);
    is_whole = zip_source_read(source, bytes.data(), bytes.size()) ==
               static_cast<zip_int64_t>(bytes.size());
    zip_source_close(source);
  }
  if (!is_whole) throw Error("no ZIP archive can be made: memory is short");
  return bytes;
}

}  // namespace

void ZipReader::Close::operator()(::zip* archive) const { zip_discard(archive); }

ZipReader::ZipReader(std::string_view bytes)
    : archive_bytes_(bytes.size()), archive_(open_archive(buffer(bytes), ZIP_RDONLY).release()) {}

std::size_t ZipReader::size() const {
  return static_cast<std::size_t>(zip_get_num_entries(archive_.get(), 0));
}

std::string ZipReader::name(std::size_t member) const {
  const char* found = zip_get_name(archive_.get(), member, ZIP_FL_ENC_GUESS);
  return found == nullptr ? std::string() : found;
}

std::string ZipReader::unpack(std::size_t member) const {
  const auto refuse = [&](const std::string& problem, const char* help) {
    throw Error(fmt::format("the member {} {}", csv_internal::quote(name(member)), problem), help);
  };
  const auto damaged = [&](const char* how) {
    refuse(fmt::format("cannot be read: {}", how), "the file is damaged: write it again");
  };
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_stat_index(archive_.get(), member, 0, &status) != 0)
    damaged(zip_strerror(archive_.get()));
  if (status.encryption_method != ZIP_EM_NONE)
    refuse("is encrypted", "write the archive without a password");
  if (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE)
    refuse(fmt::format("is packed by method {}", status.comp_method), "store or deflate it");
  if (status.comp_size > archive_bytes_) damaged("it is cut off");
  check_inflated(status.size, status.comp_size);
  const std::unique_ptr<zip_file_t, CloseMember> file(zip_fopen_index(archive_.get(), member, 0));
  if (!file) damaged(zip_strerror(archive_.get()));
  std::string contents(status.size, '\0');
  // The checksum is looked at when there is nothing more to read.
  char more = 0;
  const bool is_whole = zip_fread(file.get(), contents.data(), contents.size()) ==
                            static_cast<zip_int64_t>(contents.size()) &&
                        zip_fread(file.get(), &more, 1) == 0;
  if (!is_whole) damaged(zip_file_strerror(file.get()));
  return contents;
}

std::string zip_of(const std::map<std::string, std::string>& contents) {
  if (contents.empty()) throw Error("there is nothing to put into a ZIP archive");
  constexpr zip_uint16_t midnight = 0, new_year_1980 = (1 << 5) + 1;  // the earliest of dates
  Source sink = buffer({});
  zip_source_keep(sink.get());
  Archive archive = open_archive(Source(sink.get()), ZIP_TRUNCATE);
  for (const auto& [name, bytes] : contents) {
    Source source = buffer(bytes);
    const zip_int64_t added =
        zip_file_add(archive.get(), valid_utf8(name).c_str(), source.get(), ZIP_FL_ENC_UTF_8);
    check_write(source && added >= 0, archive.get());
    static_cast<void>(source.release());
    const auto member = static_cast<zip_uint64_t>(added);
    check_write(zip_set_file_compression(archive.get(), member, ZIP_CM_STORE, 0) == 0 &&
                    zip_file_set_dostime(archive.get(), member, midnight, new_year_1980, 0) == 0,
                archive.get());
  }
  check_write(zip_close(archive.get()) == 0, archive.get());
  static_cast<void>(archive.release());
  return contents_of(sink.get());
}

}  // namespace lgn::array_internal
