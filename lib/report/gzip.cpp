#include "report/gzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

namespace diskaudit {
namespace {

constexpr int gzip_wrapper = 16 + MAX_WBITS;
constexpr std::size_t largest_step = std::size_t{1} << 30;  // zlib counts in 32 bits

/// Hands `bytes` to zlib in steps that it can count.
void feed(z_stream& stream, std::string_view& bytes) {
  if (stream.avail_in > 0 || bytes.empty()) return;
  const std::size_t step = std::min(bytes.size(), largest_step);
  // zlib reads through this pointer, but is not declared so.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(step);
  bytes.remove_prefix(step);
}

}  // namespace

std::string gzipped(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_wrapper, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string out;
  std::array<char, 1 << 16> buffer;
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    feed(stream, text);
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = buffer.size();
    state = deflate(&stream, text.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

bool is_gzipped(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Result<std::string> gunzipped(std::string_view bytes, std::size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, gzip_wrapper) != Z_OK) throw std::bad_alloc();
  std::string out;
  std::array<char, 1 << 16> buffer;
  int state = Z_OK;
  while (state == Z_OK && out.size() <= most) {
    feed(stream, bytes);
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = buffer.size();
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  const bool all = state == Z_STREAM_END && stream.avail_in == 0 && bytes.empty();
  inflateEnd(&stream);
  if (out.size() > most) {
    return usage_error(fmt::format("holds more than {} MiB when decompressed", most >> 20));
  }
  if (!all) return usage_error("is not a whole gzip file; it may have been cut or edited");
  return out;
}

}  // namespace diskaudit
