// A file whose name has the hash of its content, as esbuild writes it, for ConsolePagesTest.
