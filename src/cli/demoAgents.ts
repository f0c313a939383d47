import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export const demoAgentNames = ['city-clock', 'text-digest'] as const
export type DemoAgentName = (typeof demoAgentNames)[number]

type StartOptions = { main: string; url: string; keysDir: string }

/** Starts each demo agent as a process of its own that speaks to the service over HTTP, as any provider's would. */
export const startDemoAgents = ({ main, url, keysDir }: StartOptions): { stop(): Promise<void> } => {
  const children = demoAgentNames.map(name =>
    // The channel tells the agent when its starter is gone, however it went.
    spawn(process.execPath, [main, 'agent', name, '--platform', url, '--keys', keysDir], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    }),
  )
  return { stop: async () => void (await Promise.all(children.map(stopChild))) }
}

const stopChild = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
