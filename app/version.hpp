#pragma once
/// Which build this is.

namespace diskaudit {

extern const char* const version;  ///< "0.1.0"
extern const char* const commit;   ///< of the sources, empty when built outside a checkout

}  // namespace diskaudit
