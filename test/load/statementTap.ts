// Preloaded into a service process. While its parent asks for it, notes each statement of both database drivers.
import { StatementSync } from 'node:sqlite'
import pg from 'pg'
import { isAsked, type Statement } from './statements.ts'

let noted: Statement[] | undefined
const now = () => performance.timeOrigin + performance.now()

process.on('message', asked => {
  if (!isAsked(asked)) return
  if (asked.statements === 'stop') process.send?.({ statements: noted ?? [] })
  noted = asked.statements === 'start' ? [] : undefined
})
// The parent's channel must not keep a service alive that was asked to stop.
process.channel?.unref()

type Any = (this: unknown, ...of: unknown[]) => unknown
const replace = (prototype: object, name: string, by: (original: Any) => Any) => {
  const original: Any = Reflect.get(prototype, name)
  Object.defineProperty(prototype, name, { value: by(original), configurable: true, writable: true })
}

for (const name of ['all', 'run'])
  replace(
    StatementSync.prototype,
    name,
    original =>
      function (...of) {
        const from = now()
        try {
          return original.apply(this, of)
        } finally {
          if (this instanceof StatementSync) noted?.push({ text: this.sourceSQL, from, to: now() })
        }
      },
  )

const textOf = (config: unknown) => (typeof config === 'string' ? config : String(Reflect.get(Object(config), 'text')))

replace(
  pg.Client.prototype,
  'query',
  original =>
    function (config, ...rest) {
      const into = noted
      if (!into) return original.call(this, config, ...rest)
      const it = { text: textOf(config), from: now(), to: Number.POSITIVE_INFINITY }
      into.push(it)
      const ended = () => {
        it.to = now()
      }
      const heard = rest.map(each =>
        typeof each === 'function'
          ? (...answer: unknown[]) => {
              ended()
              return each(...answer)
            }
          : each,
      )
      if (config instanceof pg.Query) config.on('end', ended).on('error', ended)
      const answered = original.call(this, config, ...heard)
      if (answered instanceof Promise) answered.then(ended, ended)
      return answered
    },
)
