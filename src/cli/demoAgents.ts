import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { DemoHandle } from '../domain/localAgents.ts'

type StartOptions = { main: string; url: string; keysDir: string; names: readonly DemoHandle[] }

/** Starts the demo agents in a separate process, which uses the service over HTTP like any provider. */
export const startDemoAgents = ({ main, url, keysDir, names }: StartOptions): { stop(): Promise<void> } => {
  if (names.length === 0) return { stop: async () => undefined }
  // The IPC channel shows the agents that this process has ended, for whatever reason.
  const child = spawn(process.execPath, [main, 'agent', 'local', ...names, '--platform', url, '--keys', keysDir], {
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
