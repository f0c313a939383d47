import { createHash, timingSafeEqual } from 'node:crypto'
import { type OperatorReach, readOperatorState, toOperatorRecord } from '../operations/operator/operatorState.ts'
import { operatorRecord } from '../records/operator.ts'
import { readPageFile } from './pages.ts'

export type Fetch = (request: Request, connection: object) => Response | Promise<Response>

type OperatorDeps = {
  token: string | undefined
  metrics: { collect(): Promise<{ type: string; text: string }> }
  /** Absent during the start, when only the metrics are served. */
  operator?: OperatorReach
}

const page = (file: string, type: string) => {
  const { body, headers } = readPageFile(`pages/operator/${file}`, `${type}; charset=utf-8`)
  const unsniffed = { ...headers, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
  return () => new Response(body, { headers: unsniffed })
}

/**
 * Answers the operator: `/metrics`, and the page `/operator` with its data. Without a token in the settings these are addresses
 * like any unknown one. The page itself shows nothing before the token is entered.
 */
export const serveOperator = (serve: Fetch, { token, metrics, operator }: OperatorDeps): Fetch => {
  if (token === undefined) return serve
  const pages = new Map(
    operator && [
      ['/operator', page('index.html', 'text/html')],
      ['/operator/page.js', page('page.js', 'text/javascript')],
    ],
  )
  const answers = new Map<string, () => Promise<Response>>([
    [
      '/metrics',
      async () => {
        const { type, text } = await metrics.collect()
        return new Response(text, { headers: { 'content-type': type, 'cache-control': 'no-store' } })
      },
    ],
  ])
  if (operator)
    answers.set('/operator/state', async () => {
      const record = operatorRecord.parse(toOperatorRecord(await readOperatorState(operator)))
      return Response.json(record, { headers: { 'cache-control': 'no-store' } })
    })
  const refused = () =>
    Response.json({ detail: 'This is for the operator.' }, { status: 401, headers: { 'www-authenticate': 'Bearer' } })
  return (request, connection) => {
    const { pathname } = new URL(request.url)
    const shown = pages.get(pathname)
    if (shown) return shown()
    const answer = answers.get(pathname)
    if (!answer) return serve(request, connection)
    return isSame(request.headers.get('authorization') ?? '', `Bearer ${token}`) ? answer() : refused()
  }
}

/** Compares digests, so that the time does not depend on the given text. */
const isSame = (given: string, right: string) =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(right).digest())
