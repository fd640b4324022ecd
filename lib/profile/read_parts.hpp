#pragma once
/// Reads the parts of a profile; profiles/README.md says what each may hold.

#include "profile/domain.hpp"
#include "profile/profile.hpp"
#include "profile/reader.hpp"

namespace diskaudit {

Capacity read_capacity(Reader& reader, const Document& document);

/// `inputs` and `tables` of the file; the domain then holds everything that a formula may name.
void read_inputs_and_tables(Reader& reader, const Document& file, Profile& profile, Domain& domain);

/// Reads the tables that are ready with what the domain holds, or all that are left.
void read_tables(Reader& reader, const Document& tables, Profile& profile, Domain& domain,
                 bool all);

/// Checks that `name`, the key of `member`, may stand in a formula.
std::string read_name(Reader& reader, const std::string& name, const Document& member);

/// The keys `iops`, `throughput` and `combine` of a mapping, whose other keys are the caller's.
Figures read_figures(Reader& reader, const Document& document, const Domain& domain);

BurstRules read_burst(Reader& reader, const Document& document, const Domain& domain);
void read_latency(Reader& reader, const Document& document, Profile& profile);
Promise read_promise(Reader& reader, const Document& document);
IoUnit read_io_unit(Reader& reader, const Document& document);
Source read_source(Reader& reader, const Document& document);

/// Holds the profile to its own published points.
void check_published(Reader& reader, const Document& published, const Profile& profile);

}  // namespace diskaudit
