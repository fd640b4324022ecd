#include "version.hpp"

namespace diskaudit {

const char* const version = DISKAUDIT_VERSION;
const char* const commit = DISKAUDIT_COMMIT;

}  // namespace diskaudit
