"""Pure arithmetic over questions and answers: counts stand beside rates, nothing to count is None."""
