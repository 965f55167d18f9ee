/* The option --frame. */
#ifndef RILL_CLI_FRAME_OPTION_H
#define RILL_CLI_FRAME_OPTION_H

#include "structure/frames.h"

/* For the tables of options. */
#define RILL_FRAME_OPTION {"frame", 0, "N|last|all", "of a file with several frames: which, from 0 (default: the first, said in a note)"}

/* text: of --frame; NULL: the first.  RILL_ERROR_USAGE for what is none of N, last, all. */
enum rill_status rill_frame_choose(const char *text, struct rill_frame_choice *choice, struct rill_error *error);

#endif
