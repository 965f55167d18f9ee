/* What became of a call that does a piece of some work. */
#ifndef RILL_WATER_HELP_H
#define RILL_WATER_HELP_H

enum rill_help {
  RILL_HELP_NONE,  /* nothing could be done now */
  RILL_HELP_GIVEN, /* a piece was done */
  RILL_HELP_OVER   /* all of it has been done, or it has failed */
};

#endif
