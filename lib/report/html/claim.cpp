#include <algorithm>

#include "report/html/page.hpp"
#include "report/html/plot.hpp"
#include "report/note_words.hpp"
#include "report/phrases.hpp"

namespace diskaudit::html {
namespace {

using Pick = std::optional<double> (*)(const Quota&);

std::optional<double> iops_of(const Quota& quota) {
  const auto& iops = quota.read.iops ? quota.read.iops : quota.total.iops;
  return iops ? std::optional(iops->value) : std::nullopt;
}

std::optional<double> throughput_of(const Quota& quota) {
  const auto& rate = quota.read.throughput ? quota.read.throughput : quota.total.throughput;
  if (!rate) return std::nullopt;
  return rate->value / bytes_per_second_in(quota.unit);
}

std::optional<double> value_at(const Plan& plan, Pick pick, double gib) {
  Inputs inputs = plan.inputs;
  inputs["gib"] = gib;
  const auto quota = evaluate(*plan.profile, inputs);
  return quota ? pick(*quota) : std::nullopt;
}

/// The sizes worth showing: half as much again as where the formula flattens, twice this disk.
double largest_shown(const Plan& plan, Pick pick, double gib) {
  const double most = plan.profile->capacity.max;
  const auto flat = value_at(plan, pick, most);
  if (!flat) return std::min(most, 2 * gib);
  double low = plan.profile->capacity.min;
  double high = most;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (value_at(plan, pick, middle).value_or(0) >= *flat * 0.999 ? high : low) = middle;
  }
  return std::min(most, std::max(1.5 * high, 2 * gib));
}

std::string key(const char* mark, const std::string& markup) {
  return fmt::format("<span><svg viewBox=\"0 0 18 8\" aria-hidden=\"true\">{}</svg>{}</span>", mark,
                     markup);
}

/// The formula over size, this disk's point on it, and the instance's cap where there is one.
std::string curve(const Plan& plan, Pick pick, std::optional<double> cap, Message title,
                  const std::string& unit, const char* id) {
  const auto gib = plan.inputs.find("gib");
  if (gib == plan.inputs.end() || !pick(*plan.quota)) return "";
  const double here = *pick(*plan.quota);
  const double low = plan.profile->capacity.min;
  const double high = largest_shown(plan, pick, gib->second);
  Plot::Points points;
  double top = here;
  constexpr int steps = 240;
  for (int i = 0; i <= steps; ++i) {
    const double size = low + (high - low) * i / steps;
    const auto value = value_at(plan, pick, size);
    if (!value) continue;
    points.emplace_back(size, *value);
    top = std::max(top, *value);
  }
  const auto label = [](double value) { return format_number(value, 1); };
  const auto with_unit = [&](double value) { return format_number(value, 1) + " " + unit; };
  Plot plot(id, side_by_side(title, unit),
            side_by_side(Message::CurvePoint, format_number(gib->second, 1), with_unit(here)),
            {0, high, false, label}, {0, top * 1.15, false, label});
  plot.line(points, "rate");
  plot.dot(gib->second, here, "point");
  std::string legend =
      key("<path class=\"rate\" d=\"M0 4H18\"/>", both_say(Message::CurveLegend)) +
      key("<circle class=\"point\" cx=\"9\" cy=\"4\" r=\"4\"/>",
          both_say(Message::CurvePoint, format_number(gib->second, 1), with_unit(here)));
  if (cap) {
    plot.across(*cap, "threshold");
    legend += key("<path class=\"threshold\" d=\"M0 4H18\"/>",
                  both_say(Message::Instance) + " " + escaped_xml(with_unit(*cap)));
  }
  return fmt::format(
      "<figure><figcaption>{} (→ GiB)</figcaption>\n{}<p class=\"legend\">{}</p></figure>\n",
      both_say(title, unit), plot.svg(), legend);
}

std::string fact(Message title, const std::string& markup) {
  return row({both_say(title), markup});
}

/// Only addresses of the web become links; whatever else a profile says stays text.
std::string source_markup(const diskaudit::Source& source) {
  const std::string text = both([&](Language language) { return source_text(source, language); });
  if (!source.url.starts_with("https://") && !source.url.starts_with("http://")) return text;
  const std::string url = escaped_xml(source.url);
  return fmt::format("{}<br/><a class=\"mono\" rel=\"noreferrer\" href=\"{}\">{}</a>", text, url,
                     url);
}

}  // namespace

std::string claim(const Audit& audit) {
  const Plan& plan = audit.plan;
  if (!plan.profile || !plan.quota) return "";
  std::string text =
      fmt::format("<h2>{}</h2>\n<table class=\"facts\"><tbody>\n", both_say(Message::ClaimTitle));
  text +=
      fact(Message::Bought, both([&](Language language) { return bought_text(audit, language); }));
  for (const std::string& line : plan.quota->explain) {
    text += fact(Message::Promised,
                 fmt::format("<span class=\"mono\">{}</span>",
                             both([&](Language language) { return explained(line, language); })));
  }
  for (const diskaudit::Source& source : plan.profile->sources) {
    text += fact(Message::Source, source_markup(source));
  }
  if (!instance_text(audit, Language::English).empty()) {
    text += fact(Message::Instance,
                 both([&](Language language) { return instance_text(audit, language); }));
  }
  text += fact(Message::Threshold,
               both([&](Language language) { return threshold_text(audit, language); }));
  const bool binary = rate_unit(audit) == RateUnit::MiBps;
  text += fact(Message::Units, both_say(binary ? Message::UnitsMiBps : Message::UnitsMBps));
  text += "</tbody></table>\n<div class=\"charts\">\n";
  const InstanceCaps& caps = plan.options.instance;
  std::optional<double> iops_cap;
  std::optional<double> rate_cap;
  if (caps.iops) iops_cap = caps.iops->value;
  if (caps.throughput) rate_cap = caps.throughput->value / bytes_per_second_in(plan.quota->unit);
  text += curve(plan, iops_of, iops_cap, Message::CurveIops, "IOPS", "curve-iops");
  text += curve(plan, throughput_of, rate_cap, Message::CurveThroughput,
                std::string(name_of(plan.quota->unit)), "curve-throughput");
  return text + "</div>\n";
}

}  // namespace diskaudit::html
