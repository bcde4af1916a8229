"""`aspdoku check`."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.lp...", type=click.Path(path_type=Path))
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="How the findings are written.")
@click.pass_context
def check(ctx: click.Context, files: tuple[Path, ...], format_: str) -> None:
    """Check rule files without solving: syntax, unsafe variables, unknown predicates, and whether the base is left alone.

    Exit status: 0 nothing found, 1 something found, 2 wrong usage.
    """
    from aspdoku.program.check import check_file
    from aspdoku.show.findings import document, report

    findings = {str(file): check_file(file) for file in files}
    click.echo(document(findings) if format_ == "json" else report(findings))
    ctx.exit(1 if any(findings.values()) else 0)
