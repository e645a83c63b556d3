"""Families about codecs, compression, check digits and bit layouts."""
