#pragma once
/// A comparison as rows of cells, for every format that has tables.

#include <string>
#include <vector>

#include "report/compare.hpp"

namespace diskaudit {

using Row = std::vector<std::string>;

/// Two records have a change; several have lowest, highest and spread.
bool is_pair(const Comparison& comparison);

/// Which records: one row each, of a pair only. Those of a series are told by their times.
std::vector<Row> record_rows(const Comparison& comparison, Language language);

/// A row of titles, then one row a scenario.
std::vector<Row> scenario_rows(const Comparison& comparison, Language language);

/// The rates of a series one by one, by when they were measured, below a row of titles; empty for a
/// pair.
std::vector<Row> time_rows(const Comparison& comparison, Language language);

}  // namespace diskaudit
