#define FUZZ_EXTENSION ".pdb"
#include "structure.h"
