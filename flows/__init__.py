"""Prefect flows: they schedule, fan out, retry and publish; all else is in rageval."""
