#include "base/visible.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

size_t rill_utf8_character(const unsigned char *text, size_t size, uint32_t *code) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const size_t length = text[0] < 0x80   ? 1
                        : text[0] < 0xc2 ? 0
                        : text[0] < 0xe0 ? 2
                        : text[0] < 0xf0 ? 3
                        : text[0] < 0xf5 ? 4
                                         : 0;
  if (length < 2) {
    *code = text[0];
    return length;
  }
  *code = text[0] & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; i++) {
    if (i == size) return size + 1;
    if ((text[i] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (text[i] & 0x3f);
  }
  return *code >= least[length] && *code <= 0x10ffff && !(*code >= 0xd800 && *code < 0xe000) ? length : 0;
}

/* False for control characters and for characters that change the direction of text or separate lines. */
static bool is_shown(uint32_t code) {
  if (code < 0x20) return code == '\n' || code == '\t';
  return !(code >= 0x7f && code < 0xa0) && code != 0x61c && code != 0x200e && code != 0x200f && code != 0xfeff &&
         !(code >= 0x2028 && code <= 0x202e) && !(code >= 0x2066 && code <= 0x2069) && code < 0xe0000;
}

size_t rill_make_visible(const char *text, size_t size, char *visible, size_t *length) {
  size_t taken = 0;
  *length = 0;
  while (taken < size) {
    const unsigned char *at = (const unsigned char *)text + taken;
    uint32_t code;
    const size_t bytes = rill_utf8_character(at, size - taken, &code);
    if (bytes > size - taken) break;
    if (bytes > 0 && is_shown(code)) {
      memcpy(visible + *length, at, bytes);
      *length += bytes;
    } else {
      *length += (size_t)snprintf(visible + *length, RILL_VISIBLE_MOST + 1,
                                  bytes < 2        ? "\\x%02x"
                                  : code < 0x10000 ? "\\u%04x"
                                                   : "\\U%06x",
                                  bytes < 2 ? at[0] : (unsigned)code);
    }
    taken += bytes > 0 ? bytes : 1;
  }
  return taken;
}
