EXTRA_DIST += inputs/water7.gro inputs/water7.ini inputs/water7-nve.ini inputs/water7-bodies.ini inputs/water100.ini \
  inputs/droplet1000.ini inputs/droplet5000.ini inputs/anneal7.ini inputs/liquid216.ini inputs/liquid900.ini \
  inputs/liquid7000.ini inputs/ladder7.ini inputs/caloric8.ini inputs/spce.ini inputs/tip4p2005.ini inputs/liquid-npt.ini \
  inputs/water-in-field.ini inputs/liquid900-fast.ini inputs/liquid900-hmr.ini \
  inputs/liquid-properties.ini
EXTRA_DIST += inputs/planar-pendulum.ini inputs/simple-pendulum.ini inputs/spherical-pendulum.ini \
  inputs/spherical-pendulum-angles.ini inputs/double-spherical-pendulum.ini inputs/double-spherical-pattern.ini inputs/double-pendulum.ini \
  inputs/double-pendulum-angles.ini inputs/pendulum-chain.ini inputs/dna.ini inputs/harmonic-oscillator.ini \
  inputs/rigid-body.ini inputs/magnetic-rigid-body.ini inputs/free-body.ini inputs/pendulum-3d.ini \
  inputs/quartic-body.ini inputs/ellipsoid-particle.ini inputs/oscillator-bath.ini inputs/chain-bath.ini \
  inputs/chain-ladder.ini inputs/triatomic-bath.ini inputs/forced-pendulum.ini inputs/damped-oscillator.ini \
  inputs/rolling-disk.ini inputs/chaplygin-sleigh.ini inputs/nonholonomic-particle.ini \
  inputs/kepler.ini inputs/kepler-multistep.ini \
  inputs/point-vortices.ini inputs/papers
