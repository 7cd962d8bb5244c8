"""A workspace: psygen.toml, and the packaged prompts and concepts as files of the user's own."""

from pathlib import Path

from psygen.errors import ExportFault
from psygen.settings import DEFAULT_MODEL, WORKSPACE_FILE, packaged_folder

SETTINGS_TEXT = f"""# This folder is a psygen workspace. Every line below is a default; take away the # to change it.
# Files in prompts/ and concepts/ win over the packaged ones, file by file;
# a file you delete is the packaged one again.

[generate]
# engine = "auto"          # auto, online, offline, batch; auto is online when a key or a server is configured
# lang = "zh"              # zh or en: the language of the questions
# questions = 4            # questions per concept and type
# seed = 20230525          # decides every random choice

[server]
# model = "{DEFAULT_MODEL}"
# base_url = ""            # an OpenAI-compatible server, e.g. "http://127.0.0.1:8000/v1"; empty: OpenAI
# api_key_env = "OPENAI_API_KEY"   # the NAME of the environment variable that holds the key; never the key itself
# form = "auto"            # how JSON is asked for: auto, schema, json, text; auto learns it once per server
# concurrency = 16         # requests in flight at most
# temperature = 1.0        # sent only when set here; reasoning models refuse it
# output_limit = 8000      # tokens of a reply at most; sent only when set here
# output_limit_name = "max_completion_tokens"   # or "max_tokens", as the server wants it
# reasoning_effort = "low" # sent only when set here
# timeout_s = 600          # for a whole answer, however slowly it comes
# attempts = 6             # for one request, before it is left for another run; an outage uses none up
# patience_s = 1800        # how long an outage or a wait the server asks for is sat out; then the run ends (75)
# [server.extra_body]      # further fields of the request, as they are
# enable_thinking = false

# USD per million tokens, where the package's table has no price or yours differs; --max-cost needs a price.
# [prices."gpt-5.4"]       # or [prices."api.example.com/gpt-5.4"] for one provider only
# input = 2.50
# cached_input = 0.25
# output = 15.00
# batch = 0.5              # share of the price that a batch pays

[review]
# reviewers = 3            # r1, r2, r3; or name them below
# min_reviews = 3          # reviewers who must keep a question that nobody disputes
# modify_needs = 3         # approvals of the same revision that a changed or disputed question needs
# delete_needs = 2         # deletes that reject a question
# overlap = 1.0            # share of a batch that all get, when min_reviews is below the number of reviewers
# adjudicator = ""         # id of the one who may settle contested questions
# blind = true             # reviewers answer before they see key and concept

# [[reviewers]]            # one such table for each; role and years go into the data card
# id = "r1"
# name = "王老师"
# role = "心理咨询师"
# years = 12
"""


def make_workspace(folder: Path) -> list[Path]:
    """Write whatever is missing; the files written. Raises ExportFault when the folder cannot be written."""
    made = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for source, target in [*_copies(folder)]:
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(source.read_bytes())
                made.append(target)
        settings = folder / WORKSPACE_FILE
        if not settings.exists():
            settings.write_text(SETTINGS_TEXT, encoding="utf-8")
            made.append(settings)
    except OSError as error:
        raise ExportFault(f"{folder}: cannot be written: {error.strerror or error}.") from error
    return made


def _copies(folder: Path) -> list[tuple[Path, Path]]:
    packaged = packaged_folder()
    files = []
    for name in ("prompts", "concepts"):
        for source in sorted((packaged / name).rglob("*")):
            if source.is_file():
                files.append((source, folder / name / source.relative_to(packaged / name)))  # noqa: PERF401
    return files
