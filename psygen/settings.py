"""One frozen Settings: defaults < psygen.toml < PSYGEN_* variables < flags; and where everything lies."""

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from psygen.errors import SettingsFault

WORKSPACE_FILE = "psygen.toml"
OFFLINE_MODEL = "offline"
DEFAULT_MODEL = "gpt-5.4"
DEFAULT_KEY_VARIABLE = "OPENAI_API_KEY"


class Section(BaseModel):
    """A table of psygen.toml; an unknown key is a mistake."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class GenerateSettings(Section):
    """[generate]: what is asked of an engine."""

    engine: Literal["auto", "online", "offline", "batch"] = "auto"
    lang: Literal["zh", "en"] = "zh"
    questions: int = Field(default=4, ge=1, le=20)
    seed: int = 20230525


class ServerSettings(Section):
    """[server]: an OpenAI-compatible server. The key itself is never written here, only its variable's name."""

    model: str = Field(default=DEFAULT_MODEL, min_length=1)
    base_url: str = ""
    api_key_env: str = DEFAULT_KEY_VARIABLE
    form: Literal["auto", "schema", "json", "text"] = "auto"
    """How JSON is asked for; auto finds out what the server takes and remembers it."""
    concurrency: int = Field(default=16, ge=1, le=4096)
    """Requests in flight at most."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    output_limit: int | None = Field(default=None, ge=1)
    """Tokens of a reply at most; not sent when unset."""
    output_limit_name: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    reasoning_effort: str = ""
    timeout_s: float = Field(default=600.0, gt=0)
    """For a whole answer, however slowly it comes."""
    attempts: int = Field(default=6, ge=1, le=20)
    """Attempts for one request before it is left for another run; those during an outage don't count."""
    patience_s: float = Field(default=1800.0, gt=0)
    """How long an outage of the server, or a wait it asks for, is sat out before the run ends to be repeated."""
    extra_body: Mapping[str, Any] = Field(default_factory=dict)
    """Further fields of the request's body, as they are."""


class ReviewSettings(Section):
    """[review]: how a bank is judged; psygen.records.review.Policy says what the numbers mean."""

    reviewers: int = Field(default=3, ge=1, le=26)
    """How many, when no [[reviewers]] names them."""
    min_reviews: int = Field(default=3, ge=1)
    modify_needs: int = Field(default=3, ge=2)
    delete_needs: int = Field(default=2, ge=1)
    overlap: float = Field(default=1.0, ge=0, le=1)
    adjudicator: str = Field(default="", pattern=r"^([A-Za-z0-9][A-Za-z0-9_-]{0,31})?$")
    blind: bool = True


class ReviewerSettings(Section):
    """One of [[reviewers]]: who judges."""

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$")
    name: str = ""
    role: str = ""
    years: int | None = Field(default=None, ge=0)


def _reviewers_differ(reviewers: tuple[ReviewerSettings, ...]) -> tuple[ReviewerSettings, ...]:
    ids = [r.id for r in reviewers]
    if twice := sorted({i for i in ids if ids.count(i) > 1}):
        raise ValueError(f"two reviewers have the id {', '.join(twice)}")
    return reviewers


class PriceSettings(Section):
    """[prices."MODEL"] or [prices."HOST/MODEL"]: USD per million tokens, in place of the package's table."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: float | None = Field(default=None, ge=0)
    """Not given: cached tokens cost what others cost."""
    batch: float = Field(default=1.0, gt=0, le=1)
    """Share of the price that a batch pays."""


class Settings(Section):
    """Everything a run depends on besides its inputs."""

    workspace: Path
    """The folder with psygen.toml, or the working folder."""
    has_workspace: bool = False
    """Whether psygen.toml exists there."""
    generate: GenerateSettings = GenerateSettings()
    server: ServerSettings = ServerSettings()
    server_from_file: bool = False
    """Whether the base URL comes from psygen.toml, which somebody else may have written."""
    review: ReviewSettings = ReviewSettings()
    prices: Mapping[str, PriceSettings] = Field(default_factory=dict)
    """By "MODEL" or "HOST/MODEL"."""
    reviewers: Annotated[tuple[ReviewerSettings, ...], AfterValidator(_reviewers_differ)] = ()

    @property
    def outputs(self) -> Path:
        """The folder everything made goes into."""
        return self.workspace / "outputs"

    @property
    def database(self) -> Path:
        """The one SQLite file."""
        return self.outputs / "psygen.db"

    @property
    def prompt_folders(self) -> tuple[Path, ...]:
        """Where templates are looked for, the user's own first."""
        return self._folders("prompts")

    @property
    def concept_folders(self) -> tuple[Path, ...]:
        """Where concepts are looked for, the user's own first, file by file."""
        return self._folders("concepts")

    def _folders(self, name: str) -> tuple[Path, ...]:
        packaged = packaged_folder() / name
        own = self.workspace / name
        if self.has_workspace and own.is_dir() and own.resolve() != packaged.resolve():
            return (own, packaged)
        return (packaged,)


def packaged_folder() -> Path:
    """The folder that holds prompts/ and concepts/: inside the wheel, or the repository itself."""
    inside = Path(__file__).parent / "data"
    return inside if inside.is_dir() else Path(__file__).parent.parent


_VARIABLES = {
    "OPENAI_BASE_URL": ("server", "base_url"),
    "PSYGEN_ENGINE": ("generate", "engine"),
    "PSYGEN_LANG": ("generate", "lang"),
    "PSYGEN_QUESTIONS": ("generate", "questions"),
    "PSYGEN_SEED": ("generate", "seed"),
    "PSYGEN_MODEL": ("server", "model"),
    "PSYGEN_BASE_URL": ("server", "base_url"),
    "PSYGEN_API_KEY_ENV": ("server", "api_key_env"),
    "PSYGEN_CONCURRENCY": ("server", "concurrency"),
}


def load_settings(
    workspace: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, Mapping[str, object]] | None = None,
) -> Settings:
    """The settings of a workspace (default: the working folder).

    flags: by section, e.g. `{"generate": {"engine": "offline"}}`; values that are None don't count.
    Raises SettingsFault with the file, the key and the nearest valid one.
    """
    environment = os.environ if environment is None else environment
    folder = (workspace or Path.cwd()).absolute()
    if not folder.is_dir():
        raise SettingsFault(f"{folder}: no such folder; make a workspace with: psygen init {folder}")
    path = folder / WORKSPACE_FILE
    merged: dict[str, Any] = {}
    in_file = ""
    if path.exists():
        merged |= _read_toml(path)
        _validate(merged, folder, str(path))
        in_file = str(merged.get("server", {}).get("base_url", ""))
    for variable, (section, key) in _VARIABLES.items():
        if environment.get(variable):
            merged.setdefault(section, {})[key] = environment[variable]
            _validate(merged, folder, f"environment variable {variable}")
    for section, values in (flags or {}).items():
        merged.setdefault(section, {}).update({k: v for k, v in values.items() if v is not None})
    settings = _validate(merged, folder, "the command line")
    # The same address typed by the user is the user's own.
    typed = (flags or {}).get("server", {}).get("base_url") or any(
        environment.get(v) for v in ("OPENAI_BASE_URL", "PSYGEN_BASE_URL")
    )
    return settings.model_copy(update={"server_from_file": bool(in_file) and not typed})


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsFault(f"{path}: not valid TOML: {error}. Correct the line it names.") from error
    except OSError as error:
        raise SettingsFault(f"{path}: cannot be read: {error.strerror}.") from error
    for name, value in tables.items():
        if name == "reviewers":
            if not isinstance(value, list):
                raise SettingsFault(f"{path}: write each reviewer as [[reviewers]], with two brackets.")
        elif not isinstance(value, dict):
            raise SettingsFault(f"{path}: {name} stands outside any [table]; put it under one of {_tables()}.")
    return tables


def _tables() -> str:
    return ", ".join([*(f"[{name}]" for name in ("generate", "server", "review", "prices")), "[[reviewers]]"])


def _validate(merged: Mapping[str, object], folder: Path, source: str) -> Settings:
    try:
        return Settings.model_validate(
            {"workspace": folder, "has_workspace": (folder / WORKSPACE_FILE).exists(), **merged}
        )
    except ValidationError as error:
        raise SettingsFault(f"{source}: {_explain(error)}") from error


def _explain(error: ValidationError) -> str:
    """The first fault of a settings file as a sentence with the nearest valid key."""
    fault = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(p) for p in fault["loc"])
    if fault["type"] != "extra_forbidden":
        return f"{where}: {fault['msg']}."
    section = Settings.model_fields.get(str(fault["loc"][0]))
    if section is None or len(fault["loc"]) == 1:
        return f"there is no table [{where}]; the tables are {_tables()}."
    if fault["loc"][0] == "prices":
        return f"{where} is unknown; a price has input, output, cached_input, batch."
    model = ReviewerSettings if fault["loc"][0] == "reviewers" else section.annotation
    valid = list(model.model_fields) if isinstance(model, type) and issubclass(model, BaseModel) else []
    near = difflib.get_close_matches(str(fault["loc"][-1]), valid, 1, 0.5)
    hint = f"did you mean {near[0]}?" if near else f"valid keys: {', '.join(valid)}."
    return f"{where} is unknown; {hint}"
