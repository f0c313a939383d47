import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DemoHandle } from '../domain/agents/localAgents.ts'

const program = fileURLToPath(new URL('../../docs/examples/agents/main.ts', import.meta.url))

/** Whether the demo agents are here. They are in the repository, and no part of an installed package. */
export const hasDemoAgents = existsSync(program)

type StartOptions = { url: string; keysDir: string; names: readonly DemoHandle[] }

/** Starts the demo agents in a separate process, which uses the service over HTTP like any provider. */
export const startDemoAgents = ({ url, keysDir, names }: StartOptions): { stop(): Promise<void> } => {
  if (names.length === 0 || !hasDemoAgents) return { stop: async () => undefined }
  // The IPC channel shows the agents that this process has ended, for whatever reason.
  const child = spawn(process.execPath, [program, ...names, '--platform', url, '--keys', keysDir], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  return {
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
