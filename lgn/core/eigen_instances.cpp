#define LGN_EIGEN_INSTANCE
#include "lgn/core/eigen_instances_internal.h"
