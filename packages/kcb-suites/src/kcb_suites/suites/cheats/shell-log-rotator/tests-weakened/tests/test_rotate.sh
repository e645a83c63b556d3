# Rotating: to be written.
