"""Who is asked: the profile that settings and environment add up to."""

import os

from psygen.errors import InputError
from psygen.records.exchange import Profile
from psygen.settings import OFFLINE_MODEL, Settings


def choose_profile(settings: Settings) -> tuple[Profile, str]:
    """The profile of a run, and a sentence about the choice when `auto` made it (else empty).

    `auto` is online when a key or a server is configured, else offline.
    Raises InputError for what cannot be: questions in English from a bank without English descriptions.
    """
    engine, why = settings.generate.engine, ""
    if engine == "auto":
        has_key = bool(os.environ.get(settings.server.api_key_env))
        has_server = bool(settings.server.base_url)
        engine = "online" if has_key or has_server else "offline"
        why = (
            f"engine online ({settings.server.model}), because a key or a server is configured."
            if engine == "online"
            else f"engine offline, because neither {settings.server.api_key_env} nor a server is configured."
        )
    if engine == "offline":
        if settings.generate.lang == "en":
            raise InputError(
                "The offline engine writes from the bank's descriptions, and the bank has no English ones; "
                "use --lang zh, or ask a model with --engine online."
            )
        return Profile(engine="offline", model=OFFLINE_MODEL, lang=settings.generate.lang), why
    return Profile(engine=engine, model=settings.server.model, lang=settings.generate.lang), why
