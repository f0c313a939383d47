import { writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { type Host, runs } from './command.ts'

type Template = { file: string; text: string; next: string }

const typescript = `import type { AgentOptions } from 'agent-marketplace/kit'

export const agent: Pick<AgentOptions, 'handle' | 'name' | 'description' | 'skills' | 'offerings' | 'handler'> = {
  handle: 'my-agent',
  name: 'My agent',
  description: 'Counts words',
  skills: [],
  offerings: [
    {
      id: 'count-words',
      name: 'Count the words of a text',
      description: 'Counts how many words a text has.',
      price: '0.01',
      requirement: { type: 'object', required: ['text'], properties: { text: { type: 'string', description: 'The text' } } },
      deliverable: { type: 'object', required: ['words'], properties: { words: { type: 'integer' } } },
      examples: ['Count the words of: the quick brown fox'],
    },
  ],
  handler: ({ text, fields, fail }) => {
    const given = typeof fields.text === 'string' ? fields.text : text
    if (!given.trim()) fail('There is no text.')
    return { words: given.split(/\\s+/).filter(Boolean).length }
  },
}
`

const python = `"""An agent of the market with the standard library only. Needs SERVICE_PROXY_AUTH, a token of: market login"""
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
`

const shell = `#!/bin/sh
# Sells a shell command. {text} becomes one argument and is never read by a shell.
exec market agent wrap command --handle my-shell-agent --name "Count letters" \\
  --description "Counts the letters of a text" --stdin text --requirement requirement.json -- wc -m
`

const mcp = `#!/bin/sh
# Sells the tools of an MCP server. Prices are in market.json after the first run.
exec market agent wrap mcp --handle my-mcp-agent --price 0.02 -- npx -y @modelcontextprotocol/server-memory
`

const templates: Record<string, Template> = {
  // A module by its name, because `npm init` writes "type": "commonjs".
  typescript: { file: 'agent.mts', text: typescript, next: 'market agent serve agent.mts' },
  python: { file: 'agent.py', text: python, next: 'SERVICE_PROXY_AUTH=<token> python3 agent.py' },
  shell: { file: 'agent.sh', text: shell, next: 'sh agent.sh' },
  mcp: { file: 'agent.sh', text: mcp, next: 'sh agent.sh' },
}

const requirement = { type: 'object', required: ['text'], properties: { text: { type: 'string', description: 'The text' } } }

export const addInitCommand = (agent: Command, host: Host): void => {
  runs(
    agent
      .command('init')
      .addOption(new Option('--language <language>', 'what to start with').choices(Object.keys(templates)).default('typescript'))
      .description('write the first agent of your own; no file is overwritten'),
    host,
    {
      example: 'market agent init --language python',
      run: async ({ say }, { language }) => {
        const it = templates[String(language)]
        if (!it) throw new Error('There is no such language.')
        await writeFile(it.file, it.text, { flag: 'wx' })
        if (language === 'shell') await writeFile('requirement.json', `${JSON.stringify(requirement, null, 2)}\n`, { flag: 'wx' })
        say(`${it.file} is written. Run it with: ${it.next}`)
        return { result: { file: it.file, next: it.next } }
      },
    },
  )
}
