"""`psygen prompt`: exactly what would be sent."""

import sys

import click

from psygen.cli.common import json_option, settings_of


@click.command("prompt")
@click.argument("concept")
@click.option(
    "--type",
    "prompt_type",
    type=click.Choice(["theory", "case_study", "calculation", "mixed"]),
    help="Default: the concept's primary type.",
)
@click.option("--lang", type=click.Choice(["zh", "en"]), help="Language of the questions.  [default: zh]")
@click.option("--questions", type=click.IntRange(1, 20), help="How many are asked for.  [default: 4]")
@json_option
@click.pass_context
def command(
    ctx: click.Context, concept: str, prompt_type: str | None, lang: str | None, questions: int | None, as_json: bool
) -> None:
    """Show the messages for a CONCEPT (id, Chinese or English name), as they would be sent."""
    from psygen.errors import InputError
    from psygen.files.concepts import load_bank
    from psygen.make.plan import concept_named
    from psygen.prompts import Prompts
    from psygen.records.concept import PROMPT_TYPES
    from psygen.reports.tables import print_json

    settings = settings_of(ctx, {"generate": {"lang": lang, "questions": questions}})
    bank = load_bank(settings.concept_folders)
    found = concept_named(concept, bank)
    chosen = next((t for t in PROMPT_TYPES if t == prompt_type), found.primary)
    if chosen not in found.prompt_types:
        raise InputError(f"{found.id} has no description for {chosen}; it has {', '.join(found.prompt_types)}.")
    prompts = Prompts(settings.prompt_folders)
    generate = settings.generate
    messages = prompts.render(
        found, bank.subject(found.subject), chosen, lang=generate.lang, questions=generate.questions
    )
    if as_json:
        print_json(
            {
                "concept": found.id,
                "prompt_type": chosen,
                "lang": generate.lang,
                "template": prompts.fingerprint(chosen, generate.lang),
                "messages": [message._asdict() for message in messages],
            }
        )
        return
    for message in messages:
        sys.stdout.write(f"--- {message.role} ---\n{message.content}\n\n")
