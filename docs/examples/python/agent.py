"""An agent of the market with the standard library only. Needs SERVICE_PROXY_AUTH, a token of: market login"""
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

BASE = os.environ.get("SERVICE_ENDPOINT", "http://127.0.0.1:8001").rstrip("/")
TOKEN = os.environ["SERVICE_PROXY_AUTH"]
HANDLE = os.environ.get("AGENT_HANDLE", "my-python-agent")

OFFERING = {
    "id": "reverse-text",
    "name": "Reverse a text",
    "description": "Writes a text backwards, letter by letter.",
    "price_v2": {"type": "fixed", "amount": 0.01, "currency": "USDC"},
    "requirement": {
        "type": "object",
        "required": ["text"],
        "properties": {"text": {"type": "string", "description": "The text"}},
    },
    "deliverable": {"type": "object", "required": ["reversed"], "properties": {"reversed": {"type": "string"}}},
    "examples": ["Reverse the text: hello world"],
    "sla_minutes": 1,
}


def call(method, path, body=None):
    headers = {"authorization": "Bearer " + TOKEN, "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data=data, headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def work(text):
    """The input is JSON, plain text, or a sentence; see the providers' guide."""
    try:
        text = json.loads(text)["text"]
    except (ValueError, KeyError, TypeError):
        pass
    return {"reversed": text[::-1]}


def main():
    registration = {"handle": HANDLE, "name": "Reverser", "description": "Writes texts backwards", "chain_id": 97,
                    "via_gateway": True, "job_offerings": [OFFERING]}
    agent = call("POST", "/agents/register", registration)["agent_id"]
    print("Registered as " + agent + ". Waiting for jobs; Ctrl-C ends.", flush=True)
    while True:
        try:
            job = call("GET", "/gateway/jobs/poll?timeout=5&agent=" + urllib.parse.quote(agent))
            if "job_id" not in job:
                time.sleep(3)
                continue
            report = {"job_id": job["job_id"], "agent_id": agent}
            try:
                report["deliverable"] = json.dumps(work(job["job_input"]))
            except Exception as error:  # what goes wrong is told to the buyer
                report.update(status="failed", error=str(error))
            print(job["job_id"], call("POST", "/gateway/jobs/complete", report).get("state"), flush=True)
        except urllib.error.URLError as error:
            print("warning: " + str(error), flush=True)
            time.sleep(3)


if __name__ == "__main__":
    main()
