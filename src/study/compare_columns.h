/* The columns of a comparison of water: one list for the numbers, the text, the CSV and the JSON. */
#ifndef RILL_STUDY_COMPARE_COLUMNS_H
#define RILL_STUDY_COMPARE_COLUMNS_H

/* Part of the text table, name in CSV and JSON, heading and format in the text (NULL: not shown there), factor of the
 * text's number.  NaN: has no meaning, or was not requested. */
#define RILL_COMPARE_WATER_COLUMNS(X)                                                                                \
  X(COST, step_us, "us/step", "%10.3f", 1)                                                                           \
  X(COST, step_least_us, "least", "%10.3f", 1)                                                                       \
  X(COST, step_most_us, "most", "%10.3f", 1)                                                                         \
  X(COST, forces_us, "forces", "%10.3f", 1)                                                                          \
  X(COST, solve_us, "solve", "%10.3f", 1)                                                                            \
  X(COST, thermostat_us, "thermostat", "%11.3f", 1)                                                                  \
  X(COST, rest_us, "rest", "%10.3f", 1)                                                                              \
  X(COST, observation_us, "observation", "%12.3f", 1)                                                                \
  X(COST, iterations_mean, "iterations", "%11.2f", 1)                                                                \
  X(COST, iterations_most, NULL, NULL, 1)                                                                            \
  X(COST, force_evaluations, "evaluations", "%12.2f", 1)                                                             \
  X(COST, speed_ns_day, "us/day", "%10.2f", 1e-3)                                                                    \
  X(COST, stable_step_fs, "stable/fs", "%10.2f", 1)                                                                  \
  X(LAWS, bond_deviation_x_max, NULL, NULL, 1)                                                                       \
  X(LAWS, bond_deviation_q_max, NULL, NULL, 1)                                                                       \
  X(LAWS, bond_deviation_x_rms, "bonds at x", "%11.1e", 1)                                                           \
  X(LAWS, bond_deviation_q_rms, "bonds at q", "%11.1e", 1)                                                           \
  X(LAWS, velocity_deviation_max, NULL, NULL, 1)                                                                     \
  X(LAWS, energy_drift_kJ_mol_ns, "drift", "%11.2e", 1)                                                              \
  X(LAWS, energy_drift_error_kJ_mol_ns, "+-", "%9.0e", 1)                                                            \
  X(LAWS, energy_deviation_kJ_mol, "fluctuation", "%12.2e", 1)                                                       \
  X(LAWS, energy_change_kJ_mol, "change", "%10.1e", 1)                                                               \
  X(LAWS, momentum_change_u_nm_ps, "momentum", "%10.0e", 1)                                                          \
  X(LAWS, angular_momentum_change_u_nm2_ps, "ang. mom.", "%10.0e", 1)                                                \
  X(LAWS, residual_nm, "residual", "%10.0e", 1)                                                                      \
  X(SAMPLING, temperature_K, "T", "%10.3f", 1)                                                                       \
  X(SAMPLING, temperature_error_K, "+-", "%8.3f", 1)                                                                 \
  X(SAMPLING, temperature_half_K, "T half", "%10.3f", 1)                                                             \
  X(SAMPLING, temperature_half_error_K, "+-", "%8.3f", 1)                                                            \
  X(SAMPLING, potential_kJ_mol, "potential", "%12.4f", 1)                                                            \
  X(SAMPLING, potential_error_kJ_mol, "+-", "%8.4f", 1)                                                              \
  X(SAMPLING, soft_kJ_mol, "LJ+Coulomb", "%12.4f", 1)                                                                \
  X(SAMPLING, oo_mean_nm, "mean O-O", "%10.5f", 1)                                                                   \
  X(SAMPLING, oo_distance_L1, "L1", "%8.3f", 1)                                                                      \
  X(SAMPLING, oo_seed_noise_L1, "seeds", "%8.3f", 1)

struct rill_compare_numbers {
#define X(part, name, heading, format, factor) double name;
  RILL_COMPARE_WATER_COLUMNS(X)
#undef X
};

#endif
