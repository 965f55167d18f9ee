/* The files of the properties. */
#ifndef RILL_SIMULATION_PROPERTIES_FILE_H
#define RILL_SIMULATION_PROPERTIES_FILE_H

#include "simulation/properties.h"

/* csv: a row for each result, property,value,error,unit,remark; json: the same, with the correlation functions.
 * provenance: lines on the origin of the numbers.  RILL_ERROR_OUTPUT, RILL_ERROR_WRITE. */
enum rill_status rill_properties_write(const struct rill_property_report *report, const char *csv, const char *json,
                                       const char *provenance, bool replace, struct rill_error *error);

#endif
