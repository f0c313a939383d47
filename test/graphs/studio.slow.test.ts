import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
// The development server of LangGraph preloads a module like this one, which reads the arguments of the process.
const preload = `data:text/javascript,${encodeURIComponent('JSON.parse(process.argv.at(-1))')}`
const start = `
  const { MemorySaver } = await import('@langchain/langgraph')
  const { graph } = await import('./graphs/studio.ts')
  graph.checkpointer = new MemorySaver()
  const input = { runId: 'studio', chainId: 97, said: ['What is the weather?'] }
  console.log(JSON.stringify(await graph.invoke(input, { configurable: { thread_id: '1' } })))`

test('the studio answers a message in a process whose preloaded module works only in its main thread', async () => {
  const args = ['--import', preload, '--input-type=module', '--eval', start, '{"graphs":{}}']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  expect(JSON.parse(stdout)).toMatchObject({ questions: [{ field: 'city' }] })
})
