"""The things psygen speaks of, as frozen values; rows and files are other rooms' concern."""
