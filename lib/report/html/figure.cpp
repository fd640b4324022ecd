#include "report/html/figure.hpp"

#include "report/html/page.hpp"

namespace diskaudit::html {

std::string key(const std::string& mark, const std::string& markup) {
  return fmt::format("<span><svg viewBox=\"0 0 18 8\" aria-hidden=\"true\">{}</svg>{}</span>", mark,
                     markup);
}

std::string figure_of(const std::string& caption, const Plot& plot, const std::string& legend,
                      const std::string& table) {
  return fmt::format(
      "<figure><figcaption>{} (→ {})</figcaption>\n{}<p class=\"legend\">{}</p>{}</figure>\n",
      caption, both_say(Message::Seconds), plot.svg(), legend, table);
}

std::string tick_text(double value) {
  if (value >= 100000) return format_number(value / 1000, 0) + "k";
  return format_number(value, value < 10 ? 2 : 0);
}

}  // namespace diskaudit::html
