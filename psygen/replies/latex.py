r"""LaTeX whose backslashes met JSON: `\frac` is a form feed and "rac" to a JSON reader, and that must never be stored.

A backslash before the name of a known command, standing alone where two should stand, is doubled before anything is
decoded, which is exact. Where a line break and a command are equally likely the string gets a fault instead.
"""

import re
from typing import NamedTuple

COMMANDS = frozenset(
    """
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho
    sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
    frac dfrac tfrac cfrac sqrt root binom dbinom tbinom choose over atop sum prod int iint iiint oint lim limsup liminf
    sup inf max min arg exp log ln lg sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh det dim ker deg gcd
    hom Pr bmod pmod mod times div cdot cdots ldots dots vdots ddots dotsc dotsb ast star circ bullet oplus ominus
    otimes odot pm mp cap cup bigcap bigcup sqcap sqcup vee wedge bigvee bigwedge setminus wr amalg
    leq geq le ge neq ne ll gg lt gt leqslant geqslant lesssim gtrsim approx approxeq sim simeq cong equiv propto doteq
    prec succ preceq succeq subset supset subseteq supseteq subsetneq in notin ni not mid nmid parallel nparallel perp
    nless ngtr nleq ngeq nsim ncong nsubseteq nexists exists forall neg lnot land lor therefore because iff implies
    impliedby to gets mapsto rightarrow leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow longrightarrow
    longleftarrow longleftrightarrow Longrightarrow Longleftarrow Longleftrightarrow uparrow downarrow updownarrow
    Uparrow Downarrow nearrow searrow swarrow nwarrow hookrightarrow hookleftarrow rightleftharpoons xrightarrow
    xleftarrow nrightarrow nleftarrow nRightarrow infty partial nabla hbar ell Re Im aleph emptyset varnothing angle
    triangle triangleq square Box blacksquare checkmark prime degree top bot dagger ddagger natural flat sharp
    hat widehat bar overline underline tilde widetilde vec overrightarrow overleftarrow dot ddot acute grave breve check
    overbrace underbrace overset underset stackrel substack limits nolimits left right middle big Big bigg Bigg bigl
    bigr Bigl Bigr biggl biggr Biggl Biggr lvert rvert lVert rVert vert Vert lfloor rfloor lceil rceil langle rangle
    lbrace rbrace lbrack rbrack begin end text textbf textit textrm textsf texttt textnormal textup textsubscript
    textsuperscript mathrm mathbf mathit mathsf mathtt mathcal mathbb mathfrak mathscr boldsymbol bm pmb rm bf it tt
    mbox hbox fbox boxed operatorname displaystyle textstyle scriptstyle scriptscriptstyle tag label ref notag nonumber
    quad qquad enspace thinspace negthinspace hspace vspace hfill phantom hphantom vphantom smash newline linebreak
    hline cline multicolumn multirow cancel bcancel xcancel color textcolor colorbox underbar rule frown smile models
    vdash dashv Vdash bowtie diamond diamondsuit heartsuit spadesuit clubsuit backslash lambdabar complement eth
    beth gimel digamma varkappa thicksim thickapprox trianglelefteq trianglerighteq rtimes ltimes bigoplus bigotimes
    bigodot bigstar bigcirc bigtriangleup barwedge between binoppenalty fallingdotseq risingdotseq restriction tfrac
    therefore twoheadrightarrow unlhd unrhd upharpoonright uplus upuparrows zeta iid Var Cov Corr
    """.split()
)
"""Names of commands that exams and statistics use. A name is known whole: `\\alphax` is no command."""

_SYMBOLS = frozenset("()[]{},;!:%$_&#| >")
_PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_RAW = {"a": "\x07", "b": "\b", "v": "\x0b", "f": "\f", "t": "\t", "r": "\r"}
_LETTER_OF = {char: letter for letter, char in _RAW.items()}
# A line break before one of these reads as well as the command does: \nu, \ne, \ni, \neg, \not.
_DOUBTFUL = frozenset(["nu", "ne", "ni", "neg", "not"])
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([A-Za-z]+)|(.))", re.DOTALL)
_DOUBLED = re.compile(r"\\\\([A-Za-z]+)")
_DOLLARS = re.compile(r"\$\$?")
_BARE_CONTROL = re.compile(r"[\x00-\x1f]")
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class Decoded(NamedTuple):
    """A JSON string as text, with what was mended and what could not be."""

    text: str
    repairs: tuple[str, ...] = ()
    fault: str = ""


def decode_string(raw: str) -> Decoded:
    r"""The text of a JSON string from what stands between its quotes; single-backslash LaTeX is mended.

    fault: E_CONTROL where a command may have been destroyed, E_JSON for an escape that means nothing (`\x41`, `\'`).
    """
    found = _Decoder(raw).decode() if "\\" in raw else Decoded(raw)
    # The standard wants control characters escaped; standing there bare they leave no doubt either.
    return found._replace(repairs=(*found.repairs, "control")) if _BARE_CONTROL.search(raw) else found


def command_of(control: str, tail: str) -> str:
    r"""The command that a control character and the letters after it once were: form feed and "rac" are `\frac`."""
    name = _LETTER_OF.get(control, "") + tail
    return "\\" + name if len(name) > 1 and name in COMMANDS else ""


class _Decoder:
    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.out: list[str] = []
        self.math = ""  # the delimiter a formula was opened with, or nothing
        self.is_latex = False
        self.fault = ""
        self.knows_doubling = any(m.group(1) in COMMANDS for m in _DOUBLED.finditer(raw))

    def decode(self) -> Decoded:
        end = 0
        for match in _ESCAPE.finditer(self.raw):
            self._literal(self.raw[end : match.start()])
            self._escape(match)
            end = match.end()
        self._literal(self.raw[end:])
        text = _SURROGATE_PAIR.sub(
            lambda m: m.group().encode("utf-16", "surrogatepass").decode("utf-16"), "".join(self.out)
        )
        return Decoded(text, ("latex",) if self.is_latex else (), self.fault)

    def _literal(self, chunk: str) -> None:
        for dollars in _DOLLARS.findall(chunk):
            if not self.math:
                self.math = dollars
            elif self.math == dollars:
                self.math = ""
        self.out.append(chunk)

    def _escape(self, match: re.Match[str]) -> None:
        code, name, sign = match.groups()
        if code is not None:
            self.out.append(chr(int(code, 16)))
        elif name is not None:
            self._named(name, match)
        elif sign in '"/':
            self.out.append(sign)
        elif sign == "\\":
            self._bracket(self.raw[match.end() : match.end() + 1])
            self.out.append("\\")
        else:
            self._symbol(sign)

    def _symbol(self, sign: str) -> None:
        if sign not in _SYMBOLS:
            self._blame("E_JSON")
        self._bracket(sign)
        self.is_latex = True
        self.out.append("\\" + sign)

    def _bracket(self, sign: str) -> None:
        if sign and sign in "([" and not self.math:
            self.math = "\\" + sign
        elif (sign == ")" and self.math == "\\(") or (sign == "]" and self.math == "\\["):
            self.math = ""

    def _named(self, name: str, match: re.Match[str]) -> None:
        """An escape that starts with a letter: a command, a line break, or nothing that means anything."""
        if name in COMMANDS and (name[0] != "n" or self._is_command(name, match)):
            self.is_latex = True
            self.out.append("\\" + name)
        elif name[0] in _PLAIN:
            self._plain(name)
        else:
            self._blame("E_JSON")
            self.out.append("\\" + name)

    def _plain(self, name: str) -> None:
        is_letter_next = len(name) > 1
        if name[0] in "bf" or (name[0] in "rt" and is_letter_next and name[1].islower()):
            self._blame("E_CONTROL")
        self.out.append(_PLAIN[name[0]])
        self._literal(name[1:])

    def _is_command(self, name: str, match: re.Match[str]) -> bool:
        r"""Whether `\nu` and its like are meant, and not a line break before "u"."""
        if name not in _DOUBTFUL:
            return True
        if self.math:
            # Who doubles backslashes elsewhere in this string means a line break here, or forgot once: nobody knows.
            if self.knows_doubling:
                self._blame("E_CONTROL")
            return True
        before = self.raw[: match.start()].rstrip(" ")[-1:]
        if before and before in "=+-*/^_({<>≤≥":
            return True
        if self.raw[match.end() : match.end() + 1] in tuple(".)、）"):
            return False  # "i)", "e.g.": a list or an abbreviation on a new line
        self._blame("E_CONTROL")
        return False

    def _blame(self, fault: str) -> None:
        self.fault = self.fault or fault
