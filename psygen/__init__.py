"""psygen turns a syllabus into a benchmark. What a notebook needs is handed on here, loaded on first use."""

__version__ = "0.1.0"

_HOMES = {
    "Bank": "psygen.records.concept",
    "Concept": "psygen.records.concept",
    "Item": "psygen.records.item",
    "PsygenError": "psygen.errors",
    "Settings": "psygen.settings",
    "Store": "psygen.store.database",
    "bank_health": "psygen.checks.health",
    "generate": "psygen.make.generate",
    "load_bank": "psygen.files.concepts",
    "load_settings": "psygen.settings",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    """Import a name's home only when somebody asks for it, so that `psygen --help` stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module 'psygen' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
