#pragma once
/// The one border between strings from outside and what people and pipelines are shown.

#include "audit/audit.hpp"

namespace diskaudit {

/// The audit with every string in it sanitised. The record alone is written from the original: it
/// escapes what it must and changes nothing.
Audit cleaned(Audit audit);

}  // namespace diskaudit
