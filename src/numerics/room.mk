librill_core_a_SOURCES += src/numerics/broyden.c src/numerics/broyden.h
librill_core_a_SOURCES += src/numerics/blas.c src/numerics/blas.h
librill_core_a_SOURCES += src/numerics/band.c src/numerics/band_inverse.c src/numerics/band.h
librill_core_a_SOURCES += src/numerics/newton.c src/numerics/newton.h src/numerics/quaternion.h \
  src/numerics/elliptic.c src/numerics/elliptic.h src/numerics/rigid_body_exact.c src/numerics/rigid_body_exact.h \
  src/numerics/spherical_pendulum_exact.c src/numerics/spherical_pendulum_exact.h
librill_core_a_SOURCES += src/numerics/so3.h
librill_core_a_SOURCES += src/numerics/nonlinear.c src/numerics/nonlinear.h
librill_core_a_SOURCES += src/numerics/quadrature.c src/numerics/quadrature.h
