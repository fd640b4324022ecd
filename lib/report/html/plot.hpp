#pragma once
/// One chart as inline SVG: axes with round ticks, and what is drawn between them.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace diskaudit::html {

struct Axis {
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  std::function<std::string(double)> label{};  ///< of a tick
};

/// Round values from the axis's low to its high end: about `most` of them, or the decades (and 2
/// and 5 between them where there are few).
std::vector<double> ticks_of(const Axis& axis, std::size_t most);

/// Marks take data coordinates; what lies outside the axes is drawn at their edge. `style` is a
/// class of the page's style sheet. Nothing but tick labels is text, so that no texts can overlap.
class Plot {
 public:
  static constexpr double width = 640;
  static constexpr double height = 220;

  using Points = std::vector<std::pair<double, double>>;

  Plot(std::string id, std::string title, std::string description, Axis x, Axis y);

  void line(const Points& points, std::string_view style);
  void area(const Points& lower, const Points& upper, std::string_view style);
  void across(double y, std::string_view style);
  void upright(double x, std::string_view style);
  void box(double x0, double x1, double y0, double y1, std::string_view style, double opacity = 1);
  struct Rectangle {
    double x0, x1, y0, y1;
  };
  /// As one mark, which takes a third of the room.
  void rectangles(const std::vector<Rectangle>& all, std::string_view style);
  void dot(double x, double y, std::string_view style);

  const Axis& x_axis() const { return x_; }
  const Axis& y_axis() const { return y_; }
  std::string svg() const;

 private:
  double x_of(double value) const;
  double y_of(double value) const;
  std::string path_of(const Points& points, char first) const;
  std::string axes() const;

  std::string id_;
  std::string title_;
  std::string description_;
  Axis x_;
  Axis y_;
  std::string marks_;
};

}  // namespace diskaudit::html
