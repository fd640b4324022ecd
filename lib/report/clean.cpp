#include "report/clean.hpp"

#include "report/record_visitor.hpp"
#include "text.hpp"

namespace diskaudit {
namespace {

class Cleaner final : public RecordVisitor {
 public:
  void value(std::string_view, bool&) override {}
  void value(std::string_view, double&) override {}
  void value(std::string_view, std::uint64_t&, std::uint64_t) override {}
  void value(std::string_view, std::string& value) override { value = sanitised(value); }
  void strings(std::string_view, std::vector<std::string>& values) override {
    for (std::string& value : values) value = sanitised(value);
  }
  void column(std::string_view, std::vector<std::uint64_t>&) override {}
  void column(std::string_view, std::vector<double>&) override {}
  void figures(std::string_view, std::vector<std::pair<std::string, double>>&) override {}
  void choice(std::string_view, std::span<const std::string_view>, std::size_t&) override {}
  bool optional(std::string_view, bool present) override { return present; }
  void enter(std::string_view) override {}
  void leave() override {}
  std::size_t enter_list(std::string_view, std::size_t size) override { return size; }
  void enter_item(std::size_t) override {}

  void profile(Plan& plan) override {
    if (plan.quota) {
      for (std::string& line : plan.quota->explain) line = sanitised(line);
    }
    if (!plan.profile) return;
    Profile& profile = *plan.profile;
    for (std::string* text : {&profile.id, &profile.vendor.en, &profile.vendor.zh, &profile.name.en,
                              &profile.name.zh}) {
      *text = sanitised(*text);
    }
    for (Source& source : profile.sources) {
      for (std::string* text : {&source.title, &source.url, &source.dated, &source.read}) {
        *text = sanitised(*text);
      }
    }
  }
};

}  // namespace

Audit cleaned(Audit audit) {
  Cleaner cleaner;
  visit_record(cleaner, audit);
  return audit;
}

}  // namespace diskaudit
