#define LGN_ORACLE_INSTANCE
#include "tests/oracle_instances.h"
