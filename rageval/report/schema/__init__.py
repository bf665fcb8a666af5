"""The published schema of `results.json`, made from the records themselves."""
