#include "integrators/action.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  struct rill_action_quadrature quadrature;
} names[] = {{"auto", {RILL_ACTION_AUTO, 0}},       {"gauss", {RILL_ACTION_GAUSS, 0}},
             {"lobatto", {RILL_ACTION_LOBATTO, 0}}, {"trapezoid", {RILL_ACTION_LOBATTO, 2}},
             {"simpson", {RILL_ACTION_LOBATTO, 3}}, {"euler-maclaurin", {RILL_ACTION_EULER_MACLAURIN, 2}}};
enum { NAMES = sizeof names / sizeof names[0] };

/* Returns 0 for anything other than one or two digits. */
static unsigned number(const char *text) {
  unsigned value = 0;
  size_t length = strlen(text);
  if (length == 0 || length > 2 || text[0] == '0' || strspn(text, "0123456789") != length) return 0;
  for (; *text != '\0'; text++) value = 10 * value + (unsigned)(*text - '0');
  return value;
}

enum rill_status rill_action_quadrature_parse(const char *text, struct rill_action_quadrature *quadrature,
                                              struct rill_error *error) {
  size_t stem = strcspn(text, "0123456789");
  for (size_t i = 0; i < NAMES; i++) {
    bool counted = names[i].quadrature.rule != RILL_ACTION_AUTO && names[i].quadrature.nodes == 0;
    if (strncmp(text, names[i].name, stem) != 0 || names[i].name[stem] != '\0') continue;
    *quadrature = names[i].quadrature;
    if (text[stem] == '\0') return RILL_OK;
    quadrature->nodes = number(text + stem);
    if (counted && quadrature->nodes > 0) return RILL_OK;
  }
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "no such quadrature; expected auto, gauss or lobatto, either with a number of nodes behind "
                        "it (gauss3), trapezoid, simpson or euler-maclaurin");
}

void rill_action_quadrature_format(const struct rill_action_quadrature *quadrature, char text[RILL_ACTION_TEXT]) {
  static const char *const words[] = {"auto", "gauss", "lobatto", "euler-maclaurin"};
  bool counted = quadrature->rule == RILL_ACTION_GAUSS || quadrature->rule == RILL_ACTION_LOBATTO;
  if (counted && quadrature->nodes > 0)
    snprintf(text, RILL_ACTION_TEXT, "%s%u", words[quadrature->rule], quadrature->nodes);
  else snprintf(text, RILL_ACTION_TEXT, "%s", words[quadrature->rule]);
}

int rill_action_quadrature_order(const struct rill_action_quadrature *quadrature) {
  int nodes = (int)quadrature->nodes;
  return quadrature->rule == RILL_ACTION_EULER_MACLAURIN ? 4
         : quadrature->rule == RILL_ACTION_LOBATTO       ? 2 * nodes - 2
                                                         : 2 * nodes;
}

const char *rill_action_quadrature_refusal(const struct rill_action_quadrature *quadrature) {
  if (quadrature->rule == RILL_ACTION_LOBATTO && quadrature->nodes < 2)
    return "a Lobatto rule has two nodes or more, its ends";
  if (quadrature->nodes > RILL_QUADRATURE_NODES) return "the quadrature has more nodes than there is room for, 64";
  return NULL;
}

enum rill_status rill_action_rule_set(const struct rill_action_quadrature *quadrature, struct rill_quadrature *rule,
                                      struct rill_error *error) {
  enum rill_quadrature_kind kind =
      quadrature->rule == RILL_ACTION_GAUSS ? RILL_QUADRATURE_GAUSS : RILL_QUADRATURE_LOBATTO;
  return rill_quadrature_set(kind, quadrature->nodes, rule, error);
}
