librill_core_a_SOURCES += \
  src/numerics/mat3.h \
  src/water/constraints/constraints_body.h \
  src/water/constraints/rigid.c src/water/constraints/rigid.h
