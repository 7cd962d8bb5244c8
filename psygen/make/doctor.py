"""Whether everything a night needs is in order, one check a line: settings, inputs, key, server, disk, files, database.

Nothing is changed and nothing is paid: the server is asked for its list of models only.
"""

import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from psygen.engines.online.server import OPENAI, Server, normal_url, server_of
from psygen.errors import PsygenError, SettingsFault, StoreUnusable
from psygen.files.concepts import load_bank
from psygen.make.lock_holder import lock_holder
from psygen.prompts import LANGS, Prompts
from psygen.settings import Settings, load_settings
from psygen.store.audit import audit, schema_of
from psygen.store.connection import LATEST
from psygen.store.lastrun import step_back
from psygen.store.notes import last_backup
from psygen.store.queries import Reader

Level = Literal["ok", "warning", "fault"]
LITTLE_SPACE = 2**30
"""Bytes: a night of 1,383 concepts takes about 30 MB, its -wal file and a backup as much again."""
NO_SPACE = 50 * 2**20
TIMEOUT_S = 10.0
NETWORK_SYSTEMS = ("nfs", "cifs", "smb", "9p", "drvfs", "fuse.sshfs", "fuse.s3fs", "fuse.rclone", "afs", "ceph")
"""File systems whose locks are not to be relied on, by the beginning of their name."""


class Check(NamedTuple):
    """One thing looked at."""

    name: str
    level: Level
    said: str
    """What was found, and what to do when it is not as it should be."""
    exit_code: int = 0
    """What a fault of this kind ends psygen with."""


def examine(
    workspace: Path | None, environment: Mapping[str, str], *, trust: bool = False, thorough: bool = True
) -> Iterator[Check]:
    """Every check, as it is made. A fault of one does not keep the others from being made, but for the settings.

    trust: the user says that the server named in psygen.toml is right, as with psygen generate.
    thorough: compare the database's indexes with their tables too.
    """
    try:
        settings = load_settings(workspace, environment)
    except SettingsFault as error:
        yield Check("settings", "fault", str(error), error.exit_code)
        return
    where = "psygen.toml" if settings.has_workspace else "no psygen.toml, defaults and environment"
    yield Check("settings", "ok", f"{where} in {settings.workspace}")
    yield _guarded("concepts", lambda: _concepts(settings))
    yield _guarded("templates", lambda: _templates(settings))
    yield from _server(settings, environment, trust)
    yield _space(settings)
    yield _permissions(settings)
    yield _file_system(settings)
    yield from _database(settings, thorough)


def exit_code(checks: list[Check]) -> int:
    """6 when the database cannot be used, else that of the first fault; 0 without one."""
    codes = [c.exit_code for c in checks if c.level == "fault"]
    return StoreUnusable.exit_code if StoreUnusable.exit_code in codes else codes[0] if codes else 0


def _guarded(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, "ok", look())
    except PsygenError as error:
        return Check(name, "fault", str(error), error.exit_code)


def _concepts(settings: Settings) -> str:
    bank = load_bank(settings.concept_folders)
    subjects = {concept.subject for concept in bank}
    return f"{len(bank):,} concepts of {len(subjects):,} subjects"


def _templates(settings: Settings) -> str:
    Prompts(settings.prompt_folders).check(LANGS)
    return "all templates work"


# The server


def _server(settings: Settings, environment: Mapping[str, str], trust: bool) -> Iterator[Check]:
    """The key's presence, never its value, and whether the server answers it."""
    variable = settings.server.api_key_env
    has_key = bool(environment.get(variable, "").strip())
    if not has_key and not settings.server.base_url:
        yield Check(
            "key", "warning", f"{variable} is not set and no server is configured: only the offline engine works"
        )
        return
    yield Check("key", "ok", f"{variable} is {'set' if has_key else 'not set'}")
    try:
        # The same rules as a run: a key goes to the host it was meant for, and nowhere else.
        server = server_of(settings, environment, trust=trust)
    except PsygenError as error:
        yield Check("server", "fault", str(error), error.exit_code)
        return
    yield _reach(server, settings)


def _reach(server: Server, settings: Settings) -> Check:
    """Ask for the list of models, which costs nothing."""
    import httpx2

    host = urlsplit(server.base_url).netloc
    try:
        # A local server is reached without the proxies of the environment, as a run reaches it.
        with httpx2.Client(timeout=TIMEOUT_S, follow_redirects=False, trust_env=not server.is_loopback) as client:
            answer = client.get(f"{server.base_url}/models", headers={"authorization": f"Bearer {server.key}"})
            status, body = answer.status_code, answer.content[: 2**22]
    except httpx2.HTTPError as error:
        said = f"nobody answers at {server.base_url} ({type(error).__name__}); check the address and the network"
        return Check("server", "fault", said, 75)
    if status in (401, 403):
        said = f"{host} answers and refuses the key ({status}); check {settings.server.api_key_env}"
        return Check("server", "fault", said, 5)
    if status == 429 or status >= 500:
        return Check("server", "warning", f"{host} answers {status} just now; try again later")
    if 300 <= status < 400:
        said = f"{host} redirects elsewhere, which psygen does not follow; correct base_url ({normal_url(OPENAI)})"
        return Check("server", "fault", said, 5)
    if status != 200:
        return Check(
            "server", "warning", f"{host} answers, but has no list of models ({status}); the model is not checked"
        )
    return _model(host, body, settings.server.model)


def _model(host: str, body: bytes, model: str) -> Check:
    import json

    try:
        names = {str(one["id"]) for one in json.loads(body)["data"]}
    except (ValueError, KeyError, TypeError):
        return Check("server", "warning", f"{host} answers, but not with a list of models; check base_url")
    if model in names:
        return Check("server", "ok", f"{host} answers and has {model}")
    listed = ", ".join(sorted(names)[:8]) or "none"
    return Check(
        "server", "warning", f"{host} answers, but does not list {model}; it lists {listed}. Name one: --model"
    )


# Disk and files


def _existing(path: Path) -> Path:
    """The path, or the nearest folder above it that exists."""
    while not path.exists():
        path = path.parent
    return path


def _space(settings: Settings) -> Check:
    free = shutil.disk_usage(_existing(settings.outputs)).free
    said = f"{free / 2**30:,.1f} GB free for {settings.outputs}"
    if free < NO_SPACE:
        return Check("disk", "fault", f"{said}; make room first", StoreUnusable.exit_code)
    return Check("disk", "warning" if free < LITTLE_SPACE else "ok", said)


def _permissions(settings: Settings) -> Check:
    """Unpublished questions are for their owner; and what cannot be written ends a run."""
    outputs = settings.outputs
    folder = _existing(outputs)
    if not os.access(folder, os.W_OK | os.X_OK):
        said = f"{folder} cannot be written; change its permissions or use another folder"
        return Check("permissions", "fault", said, StoreUnusable.exit_code)
    if not outputs.is_dir():
        return Check("permissions", "ok", f"{outputs} is not there yet and can be made")
    files = [p for p in outputs.rglob("*") if p.is_file() and not p.is_symlink()]
    shut = [p for p in files if not os.access(p, os.R_OK | os.W_OK)]
    if shut:
        said = f"{shut[0]} cannot be read and written; change its permissions or owner"
        return Check("permissions", "fault", said, StoreUnusable.exit_code)
    # A folder that others cannot enter protects what is in it.
    reachable = stat.S_IMODE(outputs.stat().st_mode) & 0o011
    seen = [p for p in files if stat.S_IMODE(p.stat().st_mode) & 0o077 and p.name not in ("README.md", ".gitignore")]
    if reachable and seen:
        said = (
            f"others on this machine can open {len(seen):,} files, e.g. {seen[0]}; close them: chmod -R go= {outputs}"
        )
        return Check("permissions", "warning", said)
    return Check("permissions", "ok", f"{len(files):,} files in {outputs} are for their owner only")


def _file_system(settings: Settings) -> Check:
    """Write-ahead logging needs locks and shared memory that a network file system does not keep."""
    kind = file_system(_existing(settings.outputs).resolve(), Path("/proc/mounts"))
    if kind.startswith(NETWORK_SYSTEMS):
        said = (
            f"outputs lies on a network or shared file system ({kind}), whose locks are not reliable; use a local disk"
        )
        return Check("file system", "warning", said)
    return Check("file system", "ok", kind or "unknown")


def file_system(folder: Path, mounts: Path) -> str:
    """The type of the file system that holds a folder; empty where nobody can tell (no /proc).

    mounts: a table of device, mount point, type and options, blanks in names written \\040.
    """
    try:
        lines = [line.split() for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines()]
    except OSError:
        return ""
    points = [(Path(w[1].replace("\\040", " ")), w[2]) for w in lines if len(w) > 2]
    # The longest mount point that leads to the folder; of equal ones the last mounted covers the others.
    above = [(len(point.parts), n, kind) for n, (point, kind) in enumerate(points) if folder.is_relative_to(point)]
    return max(above)[2] if above else ""


# The database


def _database(settings: Settings, thorough: bool) -> Iterator[Check]:
    database = settings.database
    holder = lock_holder(database)
    yield Check("run lock", "ok", f"held by {holder}" if holder else "free")
    if not database.exists():
        yield Check("database", "ok", f"{database} is not there yet; psygen generate makes it")
        return
    try:
        schema = schema_of(database)
        if schema < LATEST:
            said = f"has schema {schema}, not {LATEST}; psygen generate keeps a copy and brings it up to date"
            yield Check("database", "warning", said)
            return
        with Reader(database):
            pass
        found = audit(database, is_running=bool(holder), thorough=thorough)
        behind = step_back(database)
    except StoreUnusable as error:
        yield Check("database", "fault", str(error), error.exit_code)
        return
    faults = [f.text for f in found if f.level == "fault"] + ([behind] if behind else [])
    for fault in faults:
        yield Check("database", "fault", f"{fault}. Keep the file; the last backup is below", StoreUnusable.exit_code)
    if not faults:
        yield Check("database", "ok", f"{database}: sound, {database.stat().st_size / 2**20:,.1f} MB")
    yield from (Check("database", "warning", f.text) for f in found if f.level == "note")
    backup = last_backup(database)
    if backup is None:
        yield Check("backup", "warning", "none was made yet; make one at any time: psygen backup FILE")
    elif not Path(backup.path).exists():
        yield Check("backup", "warning", f"{backup.path}, made {backup.made_at}, is no longer there")
    else:
        yield Check("backup", "ok", f"{backup.path}, made {backup.made_at}")
