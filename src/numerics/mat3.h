/* 3x3 matrices, inline, for both the small systems and the kernels over many molecules. */
#ifndef RILL_NUMERICS_MAT3_H
#define RILL_NUMERICS_MAT3_H

#include <stdbool.h>

/* inverse of m by cofactors; false when the determinant is 0 or not finite. */
static inline bool rill_mat3_inverse(const double m[3][3], double inverse[3][3]) {
  double determinant = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int p = (j + 1) % 3, q = (j + 2) % 3, r = (i + 1) % 3, s = (i + 2) % 3;
      inverse[i][j] = m[p][r] * m[q][s] - m[p][s] * m[q][r];
    }
  for (int j = 0; j < 3; j++) determinant += m[0][j] * inverse[j][0];
  if (!(determinant > 0 || determinant < 0) || determinant * 0 != 0) return false;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) inverse[i][j] /= determinant;
  return true;
}

#endif
