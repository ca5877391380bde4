"""A Weir worker in Python, with the standard library only. See docs/WORKERS.md.

    WEIR_URL=http://127.0.0.1:7077 WEIR_TOKEN=... python3 worker.py greeter.hello

Each step is claimed, kept alive with heartbeats while it runs, and reported with the next claim.
"""
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("WEIR_URL", "http://127.0.0.1:7077")
TOKEN = os.environ["WEIR_TOKEN"]
LEASE_SECONDS = 30


def post(path, body):
    """Sends a request, and repeats it until the server answers. Every request of a worker is safe to repeat."""
    data = json.dumps(body).encode()
    headers = {"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json"}
    pause = 0.1
    while True:
        try:
            request = urllib.request.Request(URL + path, data, headers)
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                sys.exit(f"{path} was refused: {error.read().decode()}")
            pause = max(pause, float(error.headers.get("Retry-After", 0)))
        except (OSError, json.JSONDecodeError):
            pass  # no answer
        time.sleep(pause)
        pause = min(5, pause * 2)


def heartbeats(claim, done):
    """Renews a claim every third of its lease until the work is done."""
    while not done.wait(LEASE_SECONDS / 3):
        result = post("/v1/heartbeats", {"heartbeats": [claim]})["results"][0]
        if result["outcome"] != "extended" or result.get("cancel_requested"):
            return


def handle(module, data):
    """Does the work of a step. Replace it with your own."""
    return {"text": f"Hello, {data.get('name', 'you')}"}


def run(step):
    """Runs one step and returns its report."""
    claim = {key: step[key] for key in ("run", "step", "item", "fence") if key in step}
    done = threading.Event()
    threading.Thread(target=heartbeats, args=(claim, done), daemon=True).start()
    try:
        return {**claim, "result": "completed", "output": handle(step["module"], step["input"])}
    except Exception as failure:
        return {**claim, "result": "failed", "error": str(failure) or type(failure).__name__}
    finally:
        done.set()


def main(modules):
    updates = []
    while True:
        claimed = post("/v1/claims", {
            "modules": modules, "limit": 1, "wait": "10s", "lease": f"{LEASE_SECONDS}s",
            "request_id": str(uuid.uuid4()), "worker": "worker.py", "updates": updates})
        updates = [run(step) for step in claimed["claims"]]


if __name__ == "__main__":
    main(sys.argv[1:] or ["greeter.hello"])
