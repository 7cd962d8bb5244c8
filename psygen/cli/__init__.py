"""The command line: one short function a command. Imports wait inside commands, so that --help is quick."""
