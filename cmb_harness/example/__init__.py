"""The example release: an unreviewed example that shows the software working offline. It is not CMB."""
