"""Points at which a test may have the process killed, to show that nothing is lost there. No effect otherwise.

PSYGEN_CRASH_AT=after_intent:3 kills the process with SIGKILL when it comes to `after_intent` for the third time.
"""

import os
import signal

_PLAN = os.environ.get("PSYGEN_CRASH_AT", "")
_passed = 0


def crash_point(name: str) -> None:
    """Die here if the environment says so."""
    global _passed
    if not _PLAN or _PLAN.split(":")[0] != name:
        return
    _passed += 1
    if _passed == int(_PLAN.partition(":")[2] or 1):
        os.kill(os.getpid(), signal.SIGKILL)
