/* A water molecule as a rigid body: the position of its centre of mass, and its orientation.
 *
 * A pose is (centre, unit quaternion).  A step of a pose is a displacement of the centre and a rotation vector, both
 * in space axes, applied by the exponential map (the quaternion is renormalised, so that the geometry does not
 * drift). */
#ifndef RILL_WATER_RELAX_POSE_H
#define RILL_WATER_RELAX_POSE_H

#include "water/model/model.h"

struct rill_water_shape {
  double site[RILL_ATOMS][3]; /* nm, about the centre of mass: x from O towards the hydrogens, y from H1 to H2 */
  double length;              /* nm, root mean square distance of the three atoms from the centre of mass */
};

struct rill_pose {
  double centre[3];      /* nm */
  double orientation[4]; /* w, x, y, z: body axes to space axes */
};

struct rill_water_shape rill_water_shape_of(const struct rill_water_model *model);

/* atoms: [3][3] nm, of the model's geometry (rill_water_rigidify). */
struct rill_pose rill_pose_from_atoms(const struct rill_water_shape *shape, const double *atoms);

void rill_pose_to_atoms(const struct rill_water_shape *shape, const struct rill_pose *pose, double *atoms);

/* A random orientation, uniform over all rotations: Shoemake's quaternion of three uniform numbers (Graphics Gems
 * III, 1992). */
struct rill_pose rill_pose_random(const double centre[3], const double u[3]);

/* displacement in nm, rotation in rad about the centre of mass. */
struct rill_pose rill_pose_step(const struct rill_pose *pose, const double displacement[3], const double rotation[3]);

#endif
