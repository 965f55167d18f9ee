#include <stdio.h>

#include "config.h"

int main(void) {
  puts(PACKAGE_STRING);
  return 0;
}
