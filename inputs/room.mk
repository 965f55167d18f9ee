EXTRA_DIST += inputs/water7.gro inputs/water7.ini inputs/water7-nve.ini inputs/water100.ini inputs/droplet1000.ini inputs/anneal7.ini
