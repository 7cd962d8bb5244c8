"""The formats of `psygen export` by name: one module each, with one function that writes into the folder."""

from collections.abc import Callable

from psygen.files.exports import canonical, ceval, cmmlu, hf, inspect, lm_eval, opencompass, printed
from psygen.files.exports.folder import ExportFolder
from psygen.files.exports.options import ExportOptions
from psygen.records.benchmark import Benchmark

Write = Callable[[Benchmark, ExportFolder, ExportOptions], None]

FORMATS: dict[str, Write] = {
    "canonical": canonical.write,
    "ceval": ceval.write,
    "cmmlu": cmmlu.write,
    "hf": hf.write,
    "lm-eval": lm_eval.write,
    "inspect": inspect.write,
    "opencompass": opencompass.write,
    "print": printed.write,
}
