"""Answers to the contracts that analyse graphs."""
