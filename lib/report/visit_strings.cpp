#include "report/visit_strings.hpp"

#include "report/record_visitor.hpp"

namespace diskaudit {
namespace {

class StringVisitor final : public RecordVisitor {
 public:
  explicit StringVisitor(const std::function<void(std::string&)>& visit) : visit_(visit) {}

  void value(std::string_view, bool&) override {}
  void value(std::string_view, double&) override {}
  void value(std::string_view, std::uint64_t&, std::uint64_t) override {}
  void value(std::string_view, std::string& value) override { visit_(value); }
  void strings(std::string_view, std::vector<std::string>& values) override {
    for (std::string& value : values) visit_(value);
  }
  void column(std::string_view, std::vector<std::uint64_t>&) override {}
  void column(std::string_view, std::vector<double>&) override {}
  void columns(std::string_view, std::vector<std::vector<std::uint64_t>>&, std::size_t) override {}
  void figures(std::string_view, std::vector<std::pair<std::string, double>>&) override {}
  void choice(std::string_view, std::span<const std::string_view>, std::size_t&) override {}
  bool optional(std::string_view, bool present) override { return present; }
  void enter(std::string_view) override {}
  void leave() override {}
  std::size_t enter_list(std::string_view, std::size_t size) override { return size; }
  void enter_item(std::size_t) override {}

  void profile(Plan& plan) override {
    if (plan.quota) {
      for (std::string& line : plan.quota->explain) visit_(line);
    }
    if (!plan.profile) return;
    Profile& profile = *plan.profile;
    for (std::string* text : {&profile.id, &profile.vendor.en, &profile.vendor.zh, &profile.name.en,
                              &profile.name.zh}) {
      visit_(*text);
    }
    for (Source& source : profile.sources) {
      for (std::string* text : {&source.title, &source.url, &source.dated, &source.read}) {
        visit_(*text);
      }
    }
  }

 private:
  const std::function<void(std::string&)>& visit_;
};

}  // namespace

void visit_strings(Audit& audit, const std::function<void(std::string&)>& visit) {
  StringVisitor visitor(visit);
  visit_record(visitor, audit);
}

}  // namespace diskaudit
