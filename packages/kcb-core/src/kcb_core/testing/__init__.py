"""What a plug-in's author tests with: a toy family and, beside it, strategies and conformance."""
