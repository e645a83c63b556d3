"""Families about exact plane geometry: polygons, hulls, segments, rectangles, intersections."""
