"""Pure arithmetic: numbers in, figures out, counts beside every rate; nothing here knows an item or a file."""
