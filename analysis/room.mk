# The drawing scripts.
analysisdir = $(pkgdatadir)/analysis
dist_analysis_SCRIPTS = analysis/compare.py analysis/ensemble.py analysis/papers.py analysis/pattern.py analysis/properties.py analysis/rdf.py analysis/series.py \
  analysis/step_control.py analysis/summary.py
dist_analysis_DATA = analysis/ladders.py analysis/rilldata.py
