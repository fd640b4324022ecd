#pragma once
/// What the figures of a scenario have in common.

#include <string>

#include "measure/measurement.hpp"
#include "report/html/plot.hpp"

namespace diskaudit::html {

/// An entry of a legend: what is drawn, then what it means.
std::string key(const std::string& mark, const std::string& markup);

/// Over seconds. `table` holds the figures that are not in the page's other tables.
std::string figure_of(const std::string& caption, const Plot& plot, const std::string& legend,
                      const std::string& table = "");

std::string tick_text(double value);

/// Of a well-formed latency map.
std::string heat_map(const Measurement& measurement, const std::string& id);

}  // namespace diskaudit::html
