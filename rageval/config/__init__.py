"""Configuration: YAML to checked records, with every problem reported at once."""
