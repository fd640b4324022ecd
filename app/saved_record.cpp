#include "saved_record.hpp"

#include "files.hpp"
#include "report/gzip.hpp"
#include "report/record.hpp"

namespace diskaudit {

Result<std::string> read_saved_text(const std::string& file) {
  auto text = read_whole(file, largest_record);
  if (!text || !is_gzipped(*text)) return text;
  auto plain = gunzipped(*text, largest_record);
  if (!plain) return usage_error(file + " " + plain.error().message);
  return plain;
}

Result<Audit> read_saved_record(const std::string& file) {
  const auto text = read_saved_text(file);
  if (!text) return std::unexpected(text.error());
  auto audit = read_record(*text);
  if (!audit) return usage_error(file + ": " + audit.error().message);
  return audit;
}

}  // namespace diskaudit
