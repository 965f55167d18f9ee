#include "show/minima.h"

#include <math.h>

#include "base/units.h"

/* ---- built ---- */

/* Molecules of the box whose energy is known: one of the copies that fill a large one. */
static size_t relaxed_molecules(const struct rill_structure *structure, const struct rill_build_report *report) {
  return report->copies > 1 ? (structure->molecules + report->copies - 1) / report->copies : structure->molecules;
}

static void print_built(FILE *out, const struct rill_structure *structure, const struct rill_build_report *report,
                        const struct rill_water_amount *amount) {
  const double energy = report->minimum.after.lj + report->minimum.after.coulomb;
  if (structure->has_box)
    fprintf(out,
            "box           %.6g x %.6g x %.6g nm, %zu molecules, %.5g g/cm3\nrelaxed       in %zu iterations, to an "
            "rms force of %.3g kJ/mol/nm\n",
            structure->box[0][0], structure->box[1][1], structure->box[2][2], structure->molecules,
            amount->density / RILL_GRAM_PER_CM3, report->minimum.iterations, report->minimum.rms_force);
  else if (report->hopping)
    fprintf(
        out, "basin hopping: the lowest minimum of %zu trial%s of %zu minimisations each, found by %zu of them%s\n",
        report->trials, report->trials > 1 ? "s" : "", report->minimisations / report->trials, report->found,
        structure->molecules > RILL_SURE_CLUSTER && report->found < 3 ? "; more --trials may find a lower one" : "");
  else
    fprintf(out,
            "a droplet at the density of the liquid, minimised until forces are below %g kJ/mol/nm or the iterations "
            "run out\n",
            report->force_tolerance);
  if (report->copies > 1)
    fprintf(out, "copies        %zu of a box of %zu molecules, to which energy and forces belong\n", report->copies,
            relaxed_molecules(structure, report));
  fprintf(out, "energy        %.10g kJ/mol (%.6g kcal/mol%s)\nlargest force %.3g kJ/mol/nm (%s)\n", energy,
          energy / RILL_KCAL / (structure->has_box ? (double)relaxed_molecules(structure, report) : 1),
          structure->has_box ? " per molecule" : "", report->minimum.maximum_force,
          rill_minimize_reason_meaning(report->minimum.reason));
  if (structure->molecules > 1) fprintf(out, "nearest       oxygens %.4f nm apart\n", report->closest_oxygens);
}

static void put_built(struct rill_json *json, const char *out, const struct rill_structure *structure,
                      const struct rill_build_report *report, const struct rill_water_amount *amount, uint64_t seed) {
  const struct rill_minimize_report *minimum = &report->minimum;
  const double energy = minimum->after.lj + minimum->after.coulomb;
  rill_json_object(json, NULL);
  rill_json_string(json, "file", out);
  rill_json_string(json, "kind", structure->has_box ? "box" : report->hopping ? "cluster" : "droplet");
  rill_json_count(json, "molecules", structure->molecules);
  rill_json_count(json, "seed", seed);
  rill_json_matrix(json, "box_nm", structure->has_box ? (const double(*)[3])structure->box : NULL);
  rill_json_number(json, "density_g_cm3", structure->has_box ? amount->density / RILL_GRAM_PER_CM3 : NAN);
  if (report->copies > 1) rill_json_count(json, "copies", report->copies);
  rill_json_number(json, "potential_kJ_mol", report->copies > 1 ? NAN : energy);
  rill_json_number(json, "potential_per_molecule_kcal_mol",
                   energy / RILL_KCAL / (double)relaxed_molecules(structure, report));
  if (report->hopping) {
    rill_json_count(json, "trials", report->trials);
    rill_json_count(json, "trials_at_lowest", report->found);
    rill_json_count(json, "minimisations", report->minimisations);
  }
  rill_json_count(json, "iterations", minimum->iterations);
  rill_json_number(json, "max_force_kJ_mol_nm", minimum->maximum_force);
  rill_json_number(json, "rms_force_kJ_mol_nm", minimum->rms_force);
  rill_json_string(json, "ended_because", rill_minimize_reason_meaning(minimum->reason));
  rill_json_number(json, "nearest_oxygens_nm", structure->molecules > 1 ? report->closest_oxygens : NAN);
}

void rill_show_built(struct rill_page *page, const struct rill_structure *structure,
                     const struct rill_build_report *report, const struct rill_water_amount *amount, uint64_t seed,
                     const char *out) {
  if (page->text == NULL) put_built(&page->json, out, structure, report, amount, seed);
  else print_built(page->text, structure, report, amount);
}

/* ---- minimised ---- */

static void print_minimum(FILE *out, const struct rill_minimize_report *report) {
  fprintf(
      out,
      "energy        %.10g -> %.10g kJ/mol\niterations    %zu, force evaluations %zu\nlargest force %.4g kJ/mol/nm, "
      "rms %.4g kJ/mol/nm (of molecules: net force, and torque divided by %.4f nm)\ngeometry      deviates from the "
      "model by %.2g of a bond length\nended because %s\n",
      report->before.lj + report->before.coulomb, report->after.lj + report->after.coulomb, report->iterations,
      report->evaluations, report->maximum_force, report->rms_force, report->length, report->deviation,
      rill_minimize_reason_meaning(report->reason));
}

static void put_minimum(struct rill_json *json, const char *out, const char *model,
                        const struct rill_structure *structure, size_t frame,
                        const struct rill_minimize_report *report) {
  rill_json_object(json, NULL);
  rill_json_string(json, "file", out);
  rill_json_count(json, "frame", frame);
  rill_json_count(json, "molecules", structure->molecules);
  rill_json_string(json, "model", model);
  rill_json_string(json, "boundary", structure->has_box ? "periodic" : "vacuum");
  rill_json_number(json, "potential_before_kJ_mol", report->before.lj + report->before.coulomb);
  rill_json_number(json, "potential_kJ_mol", report->after.lj + report->after.coulomb);
  rill_json_count(json, "iterations", report->iterations);
  rill_json_count(json, "evaluations", report->evaluations);
  rill_json_number(json, "max_force_kJ_mol_nm", report->maximum_force);
  rill_json_number(json, "rms_force_kJ_mol_nm", report->rms_force);
  rill_json_number(json, "torque_length_nm", report->length);
  rill_json_number(json, "geometry_deviation", report->deviation);
  rill_json_string(json, "ended_because", rill_minimize_reason_meaning(report->reason));
  rill_json_close(json);
}

static void print_row(FILE *out, const struct rill_structure *structure, size_t frame,
                      const struct rill_minimize_report *report) {
  if (frame == 0)
    fprintf(out, "%8s %9s %18s %18s %10s %13s  ended because\n", "frame", "molecules", "initial kJ/mol",
            "final kJ/mol", "iterations", "kJ/mol/nm");
  fprintf(out, "%8zu %9zu %18.10g %18.10g %10zu %13.4g  %s\n", frame, structure->molecules,
          report->before.lj + report->before.coulomb, report->after.lj + report->after.coulomb, report->iterations,
          report->maximum_force, rill_minimize_reason_meaning(report->reason));
}

void rill_show_minimum(const struct rill_shown_frames *all, const char *out, const char *model,
                       const struct rill_structure *structure, size_t frame,
                       const struct rill_minimize_report *report) {
  FILE *text = all->page->text;
  if (text == NULL) put_minimum(&all->page->json, out, model, structure, frame, report);
  else if (all->choice.kind == RILL_FRAME_RANGE) print_row(text, structure, frame, report);
  else print_minimum(text, report);
}

void rill_show_written(struct rill_page *page, const char *out) {
  if (page->text != NULL) fprintf(page->text, "written to    %s\n", out);
}
