/* One key of a deck's text replaced, added or commented out: all else stays, byte by byte. */
#include <stdlib.h>
#include <string.h>

#include "deck/edit.h"
#include "suite.h"

static const struct edited {
  const char *text, *section, *key, *value, *reason, *expected;
} table[] = {
    /* a key that is there: blanks and the comment behind it stay */
    {"[forces]\nbuffer = 0.2 nm\t; wide\nlj = cut\n", "forces", "buffer", "0.1 nm", NULL,
     "[forces]\nbuffer = 0.1 nm\t; wide\nlj = cut\n"},
    {"; top\n[ forces ]\n  buffer=0.2 nm\n", "forces", "buffer", "0.1 nm", "less",
     "; top\n[ forces ]\n; less\n  buffer= 0.1 nm\n"},
    {"[a]\nkey : 1", "a", "key", "2", NULL, "[a]\nkey : 2"},
    {"[a]\nkey = 1;2 ;3\n", "a", "key", "4", NULL, "[a]\nkey = 4 ;3\n"},
    /* the same name in another section, in a comment, and as a part of another */
    {"[a]\nkey = 1\n[b]\n; key = 2\n# key = 3\nkeys = 4\nkey = 5\n", "b", "key", "6", NULL,
     "[a]\nkey = 1\n[b]\n; key = 2\n# key = 3\nkeys = 4\nkey = 6\n"},
    /* a key that is not: behind the last one of its section, before comments on the next */
    {"[a]\nx = 1\n\n; of b\n[b]\ny = 2\n", "a", "key", "3", "why",
     "[a]\nx = 1\n; why\nkey = 3\n\n; of b\n[b]\ny = 2\n"},
    {"[a]\n[b]\n", "a", "key", "3", NULL, "[a]\nkey = 3\n[b]\n"},
    {"[a]\nx = 1", "a", "key", "3", NULL, "[a]\nx = 1\nkey = 3\n"},
    {"[a]\nx = 1\n[b]\n[a]\ny = 1\n[c]\n", "a", "key", "3", NULL, "[a]\nx = 1\n[b]\n[a]\ny = 1\nkey = 3\n[c]\n"},
    /* a section that is not */
    {"[a]\nx = 1\n", "b", "key", "3", "why", "[a]\nx = 1\n[b]\n; why\nkey = 3\n"},
    {"[a]\nx = 1 ; [b]", "b", "key", "3", NULL, "[a]\nx = 1 ; [b]\n[b]\nkey = 3\n"},
    /* other line ends, and a byte order mark */
    {"[a]\r\nx = 1 ; one\r\n[b]\r\n", "a", "x", "2", "why", "[a]\r\n; why\r\nx = 2 ; one\r\n[b]\r\n"},
    {"[a]\r\nx = 1\r\n[b]\r\n", "a", "y", "2", "why", "[a]\r\nx = 1\r\n; why\r\ny = 2\r\n[b]\r\n"},
    {"[a]\rx = 1\r[b]\r", "b", "y", "2", NULL, "[a]\rx = 1\r[b]\ry = 2\r"},
    {"\xEF\xBB\xBF[a]\nx = 1\n", "a", "x", "2", "why", "\xEF\xBB\xBF[a]\n; why\nx = 2\n"},
};
enum { ROWS = sizeof table / sizeof table[0] };

START_TEST(only_the_key_changes) {
  const struct edited *row = &table[_i];
  struct rill_error error = {0};
  char *edited;
  ck_assert_int_eq(rill_deck_edit(row->text, row->section, row->key, row->value, row->reason, &edited, &error),
                   RILL_OK);
  ck_assert_str_eq(edited, row->expected);
  free(edited);
}
END_TEST

START_TEST(lines_become_comments) {
  static const char text[] = "[a]\r\nx = 1 ; one\r\ny = 2\r\n";
  struct rill_error error = {0};
  char *edited;
  ck_assert_int_eq(rill_deck_comment_out(text, "a", "x", "why", &edited, &error), RILL_OK);
  ck_assert_str_eq(edited, "[a]\r\n; why\r\n; x = 1 ; one\r\ny = 2\r\n");
  free(edited);
  ck_assert_int_eq(rill_deck_comment_out(text, "b", "x", "why", &edited, &error), RILL_OK);
  ck_assert_str_eq(edited, text);
  free(edited);
}
END_TEST

START_TEST(one_comment_is_dropped) {
  static const struct {
    const char *text, *expected;
  } rows[] = {
      {"[a]\n; why\nx = 1\n", "[a]\nx = 1\n"},
      {"[a]\n; other\nx = 1\n", "[a]\n; other\nx = 1\n"},
      {"[a]\n; why\n\nx = 1\n", "[a]\n; why\n\nx = 1\n"},
      {"[a]\n; why\n; more\nx = 1\n", "[a]\n; why\n; more\nx = 1\n"},
      {"[a]\n; why\ny = 1\n", "[a]\n; why\ny = 1\n"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct rill_error error = {0};
    char *edited;
    ck_assert_int_eq(rill_deck_drop_comment(rows[i].text, "a", "x", "why", &edited, &error), RILL_OK);
    ck_assert_str_eq(edited, rows[i].expected);
    free(edited);
  }
}
END_TEST

START_TEST(values_are_as_written) {
  char value[8];
  ck_assert(rill_deck_value("[a]\nx = 14 fs  ; one\n", "a", "x", value, sizeof value));
  ck_assert_str_eq(value, "14 fs");
  ck_assert(!rill_deck_value("[a]\nx = 14 fs\n", "b", "x", value, sizeof value));
  ck_assert_str_eq(value, "");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("deck edit");
  TCase *cases = tcase_create("deck edit");
  tcase_add_loop_test(cases, only_the_key_changes, 0, ROWS);
  tcase_add_test(cases, lines_become_comments);
  tcase_add_test(cases, one_comment_is_dropped);
  tcase_add_test(cases, values_are_as_written);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
