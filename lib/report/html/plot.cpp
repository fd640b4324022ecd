#include "report/html/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/escape.hpp"

namespace diskaudit::html {
namespace {

// The frame leaves room for the widest tick labels: seven characters at the left, and half a label
// beyond both ends of the x axis.
constexpr double left = 66;
constexpr double right = 612;
constexpr double top = 12;
constexpr double bottom = 190;

double share_of(const Axis& axis, double value) {
  if (!std::isfinite(value)) return 0;
  const double at = std::clamp(value, axis.low, axis.high);
  if (axis.high <= axis.low) return 0;
  if (axis.logarithmic) return std::log(at / axis.low) / std::log(axis.high / axis.low);
  return (at - axis.low) / (axis.high - axis.low);
}

std::vector<double> decades(const Axis& axis) {
  std::vector<double> ticks;
  const double ratio = axis.high / axis.low;
  for (double decade = std::pow(10, std::floor(std::log10(axis.low))); decade <= axis.high;
       decade *= 10) {
    for (const double digit : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0}) {
      const bool coarse = digit == 1;
      const bool middle = digit == 2 || digit == 5;
      if (!coarse && ratio > 1000) continue;
      if (!coarse && !middle && ratio > 8) continue;
      const double tick = decade * digit;
      const bool inside = tick >= axis.low * 0.999 && tick <= axis.high * 1.001;
      if (inside) ticks.push_back(tick);
    }
  }
  return ticks;
}

}  // namespace

std::vector<double> ticks_of(const Axis& axis, std::size_t most) {
  if (axis.logarithmic) return decades(axis);
  const double span = axis.high - axis.low;
  if (span <= 0) return {axis.low};
  double step = std::pow(10, std::floor(std::log10(span / static_cast<double>(most))));
  for (const double factor : {2.0, 2.5, 2.0}) {  // 1, 2, 5, 10
    if (span / step <= static_cast<double>(most)) break;
    step *= factor;
  }
  std::vector<double> ticks;
  for (double tick = std::ceil(axis.low / step) * step; tick <= axis.high + step * 1e-6;
       tick += step) {
    ticks.push_back(tick);
  }
  return ticks;
}

Plot::Plot(std::string id, std::string title, std::string description, Axis x, Axis y)
    : id_(std::move(id)),
      title_(std::move(title)),
      description_(std::move(description)),
      x_(std::move(x)),
      y_(std::move(y)) {}

double Plot::x_of(double value) const { return left + (right - left) * share_of(x_, value); }
double Plot::y_of(double value) const { return bottom - (bottom - top) * share_of(y_, value); }

std::string Plot::path_of(const Points& points, char first) const {
  std::string path;
  for (const auto& [x, y] : points) {
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? first : 'L', x_of(x), y_of(y));
  }
  return path;
}

void Plot::line(const Points& points, std::string_view style) {
  if (points.empty()) return;
  marks_ += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", style, path_of(points, 'M'));
}

void Plot::area(const Points& lower, const Points& upper, std::string_view style) {
  if (lower.empty() || upper.empty()) return;
  const Points back(upper.rbegin(), upper.rend());
  marks_ += fmt::format("<path class=\"{}\" d=\"{}{}Z\"/>\n", style, path_of(lower, 'M'),
                        path_of(back, 'L'));
}

void Plot::across(double y, std::string_view style) {
  marks_ += fmt::format("<path class=\"{}\" d=\"M{} {:.1f}H{}\"/>\n", style, left, y_of(y), right);
}

void Plot::upright(double x, std::string_view style) {
  marks_ += fmt::format("<path class=\"{}\" d=\"M{:.1f} {}V{}\"/>\n", style, x_of(x), top, bottom);
}

void Plot::box(double x0, double x1, double y0, double y1, std::string_view style, double opacity) {
  const double low = y_of(y0);
  const double high = y_of(y1);
  marks_ +=
      fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"",
                  style, x_of(x0), high, x_of(x1) - x_of(x0), low - high);
  if (opacity < 1) marks_ += fmt::format(" opacity=\"{:.2f}\"", opacity);
  marks_ += "/>\n";
}

void Plot::rectangles(const std::vector<Rectangle>& all, std::string_view style) {
  if (all.empty()) return;
  std::string path;
  for (const Rectangle& r : all) {
    path += fmt::format("M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}Z", x_of(r.x0), y_of(r.y1), x_of(r.x1),
                        y_of(r.y0), x_of(r.x0));
  }
  marks_ += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", style, path);
}

void Plot::dot(double x, double y, std::string_view style) {
  marks_ += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>\n", style,
                        x_of(x), y_of(y));
}

std::string Plot::axes() const {
  std::string text;
  for (const double tick : ticks_of(y_, 5)) {
    const double y = y_of(tick);
    text += fmt::format(
        "<path class=\"grid\" d=\"M{} {:.1f}H{}\"/>"
        "<text class=\"y\" x=\"{}\" y=\"{:.1f}\">{}</text>\n",
        left, y, right, left - 8, y + 5, escaped_xml(y_.label(tick)));
  }
  for (const double tick : ticks_of(x_, 6)) {
    text += fmt::format(
        "<path class=\"grid\" d=\"M{:.1f} {}v5\"/>"
        "<text class=\"x\" x=\"{:.1f}\" y=\"{}\">{}</text>\n",
        x_of(tick), bottom, x_of(tick), bottom + 22, escaped_xml(x_.label(tick)));
  }
  return text +
         fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>\n", left, top, bottom, right);
}

std::string Plot::svg() const {
  return fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{}-t {}-d\">\n<title "
      "id=\"{}-t\">{}</title>\n<desc id=\"{}-d\">{}</desc>\n{}{}</svg>\n",
      width, height, id_, id_, id_, escaped_xml(title_), id_, escaped_xml(description_), axes(),
      marks_);
}

}  // namespace diskaudit::html
