# tests of the small systems
