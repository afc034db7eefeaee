"""Models behind one small interface, one adapter a family."""
