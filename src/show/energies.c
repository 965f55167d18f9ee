#include "show/energies.h"

#include "show/plan.h"

/* ---- JSON ---- */

static void put_box(struct rill_json *json, const struct rill_energy_options *options, const struct rill_energy *e) {
  rill_json_number(json, "volume_nm3", e->volume);
  rill_json_number(json, "cutoff_nm", options->cutoff);
  rill_json_string(json, "coulomb", rill_energy_coulomb_name(options));
  rill_json_string(json, "lj", rill_choice_word(rill_lj_choices, options->lj));
  if (options->lj == RILL_LJ_SWITCH) rill_json_number(json, "switch_from_nm", options->switch_from);
  if (rill_energy_has_mesh(options)) rill_put_mesh(json, "pme", &e->mesh, &e->measured);
}

static void put_energy(struct rill_json *json, const struct rill_shown_frames *all,
                       const struct rill_energy_options *options, const struct rill_energy *e, size_t frame) {
  rill_json_object(json, NULL);
  if (all->choice.kind != RILL_FRAME_FIRST) rill_json_count(json, "frame", frame);
  rill_json_count(json, "molecules", e->molecules);
  rill_json_count(json, "atoms", 3 * e->molecules);
  rill_json_string(json, "model", options->model.name);
  rill_json_string(json, "boundary", e->periodic ? "periodic" : "vacuum");
  rill_json_number(json, "coulomb_constant_kJ_nm_mol_e2", options->model.coulomb_constant);
  if (e->periodic) put_box(json, options, e);
  if (options->stiffness > 0) rill_json_number(json, "penalty_kJ_mol", e->penalty);
  rill_json_number(json, "lj_kJ_mol", e->lj);
  rill_json_number(json, "lj_tail_kJ_mol", e->lj_tail);
  rill_json_number(json, "coulomb_kJ_mol", e->coulomb);
  if (e->periodic) {
    rill_json_number(json, "coulomb_real_kJ_mol", e->real);
    rill_json_number(json, "coulomb_excluded_kJ_mol", e->excluded);
    rill_json_number(json, "coulomb_reciprocal_kJ_mol", e->reciprocal);
    rill_json_number(json, "coulomb_self_kJ_mol", e->self);
  }
  rill_json_number(json, "potential_kJ_mol", e->potential);
  if (e->periodic) rill_json_number(json, "potential_with_tail_kJ_mol", e->potential + e->lj_tail);
  rill_json_number(json, "virial_kJ_mol", e->virial);
  if (e->periodic) {
    rill_json_string(json, "virial_kind", "molecular");
    rill_json_matrix(json, "virial_tensor_kJ_mol", (const double(*)[3])e->virial_tensor);
    rill_json_number(json, "pressure_bar", e->pressure);
    rill_json_number(json, "pressure_tail_bar", e->pressure_tail);
  } else {
    rill_json_number(json, "virial_molecular_kJ_mol", e->virial_molecular);
  }
  rill_json_number(json, "max_force_kJ_mol_nm", e->largest_force);
  rill_json_number(json, "geometry_deviation", e->deviation);
  rill_json_close(json);
}

/* ---- text ---- */

static void print_value(FILE *out, const char *label, double value, const char *unit) {
  fprintf(out, "  %-23s%20.10f %s", label, value, unit);
}

static void print_vacuum(FILE *out, const struct rill_energy_options *options, const struct rill_energy *e) {
  fprintf(out, " (%s) in vacuum\n", options->model.name);
  if (options->stiffness > 0) print_value(out, "bonds (penalty)", e->penalty, "kJ/mol\n");
  print_value(out, "Lennard-Jones", e->lj, "kJ/mol\n");
  print_value(out, "Coulomb", e->coulomb, "kJ/mol\n");
  print_value(out, "potential", e->potential, "kJ/mol\n");
  print_value(out, "virial, atomic", e->virial, "kJ/mol   sum of r.f over atoms, without constraint forces\n");
  print_value(out, "virial, molecular", e->virial_molecular, "kJ/mol   sum of R.F over molecules\n");
}

static void print_box(FILE *out, const struct rill_energy_options *options, const struct rill_energy *e) {
  fprintf(out, " (%s) in a periodic box of %.6g nm3\n", options->model.name, e->volume);
  fprintf(out, "  within %g nm; Lennard-Jones %s; Coulomb %s", options->cutoff,
          rill_choice_word(rill_lj_choices, options->lj), rill_energy_coulomb_name(options));
  if (rill_energy_has_mesh(options))
    fprintf(out, ": beta %.6g /nm, splines of order %d, grid %zu x %zu x %zu", e->mesh.beta, e->mesh.order,
            e->mesh.grid[0], e->mesh.grid[1], e->mesh.grid[2]);
  if (e->measured.molecules > 0) {
    fputs("\n  ", out);
    rill_describe_accuracy(&e->measured, out);
  }
  fputc('\n', out);
  print_value(out, "Lennard-Jones", e->lj, "kJ/mol");
  fprintf(out, "   and its tail %.10f\n", e->lj_tail);
  print_value(out, "Coulomb", e->coulomb, "kJ/mol\n");
  print_value(out, "potential", e->potential, "kJ/mol   without the tail\n");
  print_value(out, "virial, molecular", e->virial, "kJ/mol   trace, over molecules; without the tail\n");
  print_value(out, "pressure", e->pressure, "bar ");
  fprintf(out, "     at zero velocities; the tail adds %.10f\n", e->pressure_tail);
}

static void print_energy(FILE *out, const char *path, const struct rill_energy_options *options,
                         const struct rill_energy *e) {
  fprintf(out, "%s: %zu molecule%s", path, e->molecules, e->molecules == 1 ? "" : "s");
  (e->periodic ? print_box : print_vacuum)(out, options, e);
  fprintf(out, "  largest force component %19.10f kJ/mol/nm\n", e->largest_force);
  fprintf(out, "  the geometry, as read, deviates from the model's by %.3g of a bond length\n", e->deviation);
}

static void print_row(FILE *out, const struct rill_energy *e, size_t frame) {
  fprintf(out, "%8zu %9zu %18.8f %18.8f %18.8f %16.8g %12.3g\n", frame, e->molecules, e->lj, e->coulomb, e->potential,
          e->largest_force, e->deviation);
}

void rill_show_energy(const struct rill_shown_frames *all, const struct rill_energy_options *options,
                      const struct rill_energy *energy, size_t frame) {
  if (all->page->text == NULL) put_energy(&all->page->json, all, options, energy, frame);
  else if (all->choice.kind == RILL_FRAME_RANGE) print_row(all->page->text, energy, frame);
  else print_energy(all->page->text, all->path, options, energy);
}

void rill_show_energies_head(const struct rill_shown_frames *all, const struct rill_energy_options *options,
                             size_t frames) {
  FILE *out = all->page->out;
  if (all->page->text == NULL || all->choice.kind != RILL_FRAME_RANGE) return;
  fprintf(out, "%s: %zu frame%s (%s) in %s; energies in kJ/mol%s\n", all->path, frames, frames == 1 ? "" : "s",
          options->model.name, options->periodic ? "periodic boxes" : "vacuum",
          options->stiffness > 0 ? ", the potential includes the bonds" : "");
  fprintf(out, "%8s %9s %18s %18s %18s %16s %12s\n", "frame", "molecules", "Lennard-Jones", "Coulomb", "potential",
          "force/(kJ/mol/nm)", "off geometry");
}
