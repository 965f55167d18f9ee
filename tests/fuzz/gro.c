#define FUZZ_EXTENSION ".gro"
#include "structure.h"
