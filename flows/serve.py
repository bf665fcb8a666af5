"""The process of a temporary server: `python -m flows.serve PORT`; it ends when stdin does."""

from __future__ import annotations

import os
import signal
import sys
import threading

HOST = "127.0.0.1"
APP = "prefect.server.api.server:create_app"


def main() -> None:
    """Serve Prefect's API until told to stop, or until whoever started this process is gone."""
    import uvicorn

    threading.Thread(target=end_with_stdin, daemon=True).start()
    uvicorn.run(
        APP, factory=True, host=HOST, port=int(sys.argv[1]), log_level="error", lifespan="on"
    )


def end_with_stdin() -> None:
    """Stop this process once nobody holds the other end of stdin, however they went."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
