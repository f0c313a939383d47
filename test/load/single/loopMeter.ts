// Loaded into the service by `--import`. Measures the longest stretch for which the event loop runs one thing after another
// without looking for other work, in processor time of its thread, which other programs of the machine do not lengthen.
import { createServer } from 'node:http'

const spentMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
let before = spentMs()
let longestMs = 0
setInterval(() => {
  const now = spentMs()
  longestMs = Math.max(longestMs, now - before)
  before = now
}, 1).unref()

createServer((_request, response) => {
  response.end(String(longestMs))
  longestMs = 0
})
  .listen(Number(process.env.METER_PORT), '127.0.0.1')
  .unref()
