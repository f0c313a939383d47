import { isObject } from '../../domain/objects.ts'

/** The version of MCP Apps (io.modelcontextprotocol/ui) that this app speaks. */
const protocolVersion = '2026-01-26'

type Told = (result: Record<string, unknown>) => void

/** Speaks to the host that shows this app: JSON-RPC over postMessage (MCP Apps). */
export const createHost = (onResult: Told) => {
  const waiting = new Map<number, { resolve: Told; reject(error: Error): void }>()
  let last = 0
  const send = (message: object) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const ask = (method: string, params: object) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      last += 1
      waiting.set(last, { resolve, reject })
      send({ id: last, method, params })
    })
  const answer = ({ id, result, error }: Record<string, unknown>) => {
    const asked = waiting.get(Number(id))
    waiting.delete(Number(id))
    if (isObject(error)) asked?.reject(new Error(String(error.message)))
    else asked?.resolve(isObject(result) ? result : {})
  }
  addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || !isObject(data)) return
    if (!('method' in data)) return answer(data)
    if (data.method === 'ui/notifications/tool-result' && isObject(data.params)) onResult(data.params)
    if (data.method === 'ui/notifications/host-context-changed') applyTheme(data.params)
    if ('id' in data) send({ id: data.id, result: {} })
  })
  return {
    async begin() {
      const appInfo = { name: 'agent-market-slip', version: '1' }
      const { hostContext } = await ask('ui/initialize', { protocolVersion, appInfo, appCapabilities: {} })
      applyTheme(hostContext)
      send({ method: 'ui/notifications/initialized', params: {} })
      new ResizeObserver(([entry]) => {
        if (entry) send({ method: 'ui/notifications/size-changed', params: { height: Math.ceil(entry.contentRect.height) } })
      }).observe(document.body)
    },
    call: (name: string, args: object) => ask('tools/call', { name, arguments: args }),
    open: (url: string) => void ask('ui/open-link', { url }).catch(() => undefined),
  }
}
export type Host = ReturnType<typeof createHost>

const applyTheme = (context: unknown) => {
  const theme = isObject(context) ? context.theme : undefined
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
}
