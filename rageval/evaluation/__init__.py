"""The pure pipeline from a configuration to a result."""
