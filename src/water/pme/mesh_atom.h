/* Spreading and gathering of one atom, row by row; included by mesh_body.h for each type of vector that rows are
 * divided into: PIECE, the type, OF_PIECE(operation), WITH_PIECE(name of the function). */
#define WIDTH ((int)(sizeof(PIECE) / sizeof(real)))

/* Spreads one atom into the planes that begin at offsets [first, end). */
SPECIALISED void WITH_PIECE(spread_atom)(const struct rill_mesh *mesh, const struct block *block, size_t n,
                                         const uint16_t *point, real charge, const int order, size_t first,
                                         size_t end) {
  const int pieces = (order + WIDTH - 1) / WIDTH;
  const size_t *plane = mesh->plane_offset + point[0];
  const real *row_weight = block->row_weight + n * (size_t)RILL_MESH_ROW(order);
  integer *charges = (integer *)mesh->points + point[2 * RILL_ATOMS];
  PIECE across[RILL_PME_ORDER_MAX][RILL_MESH_ROW_MAX / WIDTH]; /* weights along b and c, times the charge */
  integer *target[RILL_PME_ORDER_MAX];
  UNROLLED
  for (int j = 0; j < order; j++) {
    const PIECE weight_b = OF_PIECE(set)(charge * block->weight[j][SITES + n]);
#pragma GCC unroll 3
    for (int k = 0; k < pieces; k++) across[j][k] = weight_b * OF_PIECE(load)(row_weight + WIDTH * k);
    target[j] = charges + mesh->row_offset[point[RILL_ATOMS] + j];
  }
#pragma GCC unroll 4
  for (int i = 0; i < order; i++) {
    const PIECE weight_a = OF_PIECE(set)(block->weight[i][n]);
    const size_t at = plane[i];
    if (at < first || at >= end) continue;
    UNROLLED
    for (int j = 0; j < order; j++)
#pragma GCC unroll 3
      for (int k = 0; k < pieces; k++) OF_PIECE(count)(target[j] + at + WIDTH * k, weight_a * across[j][k]);
  }
}

/* Returns the slopes of the potential at one atom, along the axes, in points; and 0. */
SPECIALISED quad WITH_PIECE(gather_atom)(const struct rill_mesh *mesh, const struct block *block, size_t n,
                                         const uint16_t *point, const int order) {
  const int pieces = (order + WIDTH - 1) / WIDTH;
  const size_t *plane = mesh->plane_offset + point[0], *row = mesh->row_offset + point[RILL_ATOMS];
  const real *row_weight = block->row_weight + n * (size_t)RILL_MESH_ROW(order);
  const real *row_slope = block->row_slope + n * (size_t)RILL_MESH_ROW(order);
  const real *points = (const real *)mesh->points + point[2 * RILL_ATOMS];
  PIECE along_a[RILL_MESH_ROW_MAX / WIDTH], along_b[RILL_MESH_ROW_MAX / WIDTH], value[RILL_MESH_ROW_MAX / WIDTH];
#pragma GCC unroll 3
  for (int k = 0; k < pieces; k++) along_a[k] = along_b[k] = value[k] = OF_PIECE(set)(0);
  for (int i = 0; i < order; i++) {
    const PIECE weight = OF_PIECE(set)(block->weight[i][n]), slope = OF_PIECE(set)(block->slope[i][n]);
    PIECE sum[RILL_MESH_ROW_MAX / WIDTH], slope_sum[RILL_MESH_ROW_MAX / WIDTH];
#pragma GCC unroll 3
    for (int k = 0; k < pieces; k++) sum[k] = slope_sum[k] = OF_PIECE(set)(0);
    UNROLLED
    for (int j = 0; j < order; j++) {
      const real *from = points + plane[i] + row[j];
#pragma GCC unroll 3
      for (int k = 0; k < pieces; k++) {
        const PIECE potential = OF_PIECE(load)(from + WIDTH * k);
        sum[k] = OF_PIECE(fma)(OF_PIECE(set)(block->weight[j][SITES + n]), potential, sum[k]);
        slope_sum[k] = OF_PIECE(fma)(OF_PIECE(set)(block->slope[j][SITES + n]), potential, slope_sum[k]);
      }
    }
#pragma GCC unroll 3
    for (int k = 0; k < pieces; k++) {
      along_a[k] = OF_PIECE(fma)(slope, sum[k], along_a[k]);
      along_b[k] = OF_PIECE(fma)(weight, slope_sum[k], along_b[k]);
      value[k] = OF_PIECE(fma)(weight, sum[k], value[k]);
    }
  }
  PIECE along[3] = {OF_PIECE(set)(0), OF_PIECE(set)(0), OF_PIECE(set)(0)};
  quad sum[4];
#pragma GCC unroll 3
  for (int k = 0; k < pieces; k++) {
    const PIECE weight = OF_PIECE(load)(row_weight + WIDTH * k);
    along[0] = OF_PIECE(fma)(along_a[k], weight, along[0]);
    along[1] = OF_PIECE(fma)(along_b[k], weight, along[1]);
    along[2] = OF_PIECE(fma)(value[k], OF_PIECE(load)(row_slope + WIDTH * k), along[2]);
  }
  for (int c = 0; c < 3; c++) sum[c] = OF_PIECE(fold)(along[c]);
  sum[3] = q_set(0);
  q_transpose(sum);
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

#undef WIDTH
