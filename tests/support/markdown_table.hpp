#pragma once
/// The tables of a Markdown text, as cells.

#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"

namespace diskaudit::test {

using MarkdownTable = std::vector<std::vector<std::string>>;

/// Each table with its titles first; the rule below them is checked and left out, and so is that
/// every row has a cell for each title.
inline std::vector<MarkdownTable> markdown_tables(const std::string& text) {
  std::vector<MarkdownTable> tables;
  std::istringstream lines(text);
  bool inside = false;
  for (std::string line; std::getline(lines, line); inside = line.starts_with('|')) {
    if (!line.starts_with('|')) continue;
    std::vector<std::string> cells(1);
    for (std::size_t i = 1; i < line.size(); ++i) {
      if (line[i] == '|')
        cells.emplace_back();
      else if (line[i] == '\\' && i + 1 < line.size())
        cells.back() += line[++i];
      else
        cells.back() += line[i];
    }
    INFO(line);
    CHECK(cells.back().empty());
    cells.pop_back();
    if (!inside) tables.emplace_back();
    if (tables.back().size() == 1 && cells[0].find_first_not_of("-:") == std::string::npos &&
        line.starts_with("|-")) {
      CHECK(cells.size() == tables.back()[0].size());
      for (const std::string& cell : cells) {
        CHECK(cell.find_first_not_of("-:") == std::string::npos);
      }
      continue;
    }
    for (std::string& cell : cells) {
      CHECK(cell.starts_with(' '));
      cell.erase(0, 1);
      cell.erase(cell.find_last_not_of(' ') + 1);
    }
    if (!tables.back().empty()) CHECK(cells.size() == tables.back()[0].size());
    tables.back().push_back(std::move(cells));
  }
  return tables;
}

}  // namespace diskaudit::test
