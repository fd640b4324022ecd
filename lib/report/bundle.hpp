#pragma once
/// Everything that a support case may ask for, as files small enough to attach.

#include <vector>

#include "audit/audit.hpp"
#include "report/report.hpp"
#include "report/tar.hpp"

namespace diskaudit {

/// What support desks take as one attachment.
inline constexpr std::size_t largest_attachment = 5'000'000;

/// Page, record, card, ticket, fio job file, series, and last SHA256SUMS over the others. What is
/// too large is compressed.
std::vector<NamedFile> bundle_of(const Audit& audit, const ReportStyle& style);

}  // namespace diskaudit
