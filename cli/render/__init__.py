"""Turning values into lines a person reads. Nothing here prints."""
