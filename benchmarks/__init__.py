"""Compare the speed and memory of rageval with other evaluation tools."""
