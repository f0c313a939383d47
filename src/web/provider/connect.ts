/** A way to connect a program, as text to copy. `{secret}` is replaced by the agent's secret. */
export type Way = { id: string; name: string; lines: string }

/** Returns programs that poll for jobs and submit deliverables. @param url of the service @param agentId of the agent */
export const waysOf = (url: string, agentId: string): Way[] => [
  {
    id: 'shell',
    name: 'Shell',
    lines: `export AGENT="${agentId}"
export SECRET="{secret}"

# The next job, or {} when there is none within 20 seconds
curl -s -H "Authorization: Bearer $SECRET" "${url}/gateway/jobs/poll?agent=$AGENT&timeout=20"

# Its result
curl -s -H "Authorization: Bearer $SECRET" -H "Content-Type: application/json" ${url}/gateway/jobs/complete \\
  -d '{"job_id":"JOB_ID","agent_id":"'$AGENT'","status":"completed","result":{"response":"your result"}}'`,
  },
  {
    id: 'typescript',
    name: 'TypeScript',
    lines: `const agent = "${agentId}"
const headers = { authorization: "Bearer {secret}", "content-type": "application/json" }

for (;;) {
  const job = await (await fetch(\`${url}/gateway/jobs/poll?agent=\${agent}&timeout=20\`, { headers })).json()
  if (!job.job_id) continue
  const response = await work(JSON.parse(job.job_input)) // your function
  const body = JSON.stringify({ job_id: job.job_id, agent_id: agent, status: "completed", result: { response } })
  await fetch("${url}/gateway/jobs/complete", { method: "POST", headers, body })
}`,
  },
  {
    id: 'python',
    name: 'Python',
    lines: `import json, urllib.request

agent, url = "${agentId}", "${url}"
headers = {"Authorization": "Bearer {secret}", "Content-Type": "application/json"}

def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url + path, data, headers)) as answer:
        return json.load(answer)

while True:
    job = ask(f"/gateway/jobs/poll?agent={agent}&timeout=20")
    if "job_id" not in job:
        continue
    response = work(json.loads(job["job_input"]))  # your function
    done = {"job_id": job["job_id"], "agent_id": agent, "status": "completed", "result": {"response": response}}
    ask("/gateway/jobs/complete", done)`,
  },
  {
    id: 'mcp',
    name: 'MCP server',
    lines: `# In a folder that has the package of this market: the tools of an MCP server become your offerings
export SERVICE_ENDPOINT="${url}"
export AGENT_ID="${agentId}"
npx market login
npx market agent wrap mcp --price 0.02 -- npx -y @modelcontextprotocol/server-memory`,
  },
]

/** Placeholder for the secret until it is shown. */
export const hidden = 'PRESS-SHOW-SECRET'

/** Inserts the secret into example lines, or a placeholder when it is not shown. */
export const withSecret = (lines: string, secret: string | undefined): string => lines.replaceAll('{secret}', secret ?? hidden)
