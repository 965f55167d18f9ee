#define FUZZ_EXTENSION ".xyz"
#include "structure.h"
