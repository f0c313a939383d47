import { hourMs } from '../domain/durations.ts'
import { conditionsOf, followAlerts, type News, type OperatorState, toAlertKey, toKept } from '../domain/operator/alerts.ts'
import type { Clock, Log, PostAlert, Store } from '../ports.ts'
import type { Worker } from './loop.ts'

type RaiseDeps = {
  store: Pick<Store, 'alertStates' | 'keepAlertStates'>
  read(): Promise<OperatorState>
  clock: Clock
  log: Log
  post: PostAlert | undefined
}

/** The most posts an hour, and the most that wait while the receiver does not answer. */
const postsAnHour = 60
const maxWaiting = 50
const checkEveryMs = 10_000

/**
 * Posts each alert to the operator's webhook once when it begins and once when it is over. Without a webhook, above the hourly
 * bound and while the receiver does not answer, the alert is in the log. The database keeps the states for the next leader.
 */
export const raiseAlerts = ({ store, read, clock, log, post }: RaiseDeps): Worker => {
  let watched: ReturnType<typeof followAlerts>['watched'] | undefined
  let kept = ''
  const waiting: News[] = []
  const posted: number[] = []
  const logSilenced = (news: News, why: string) => log.warn(toLogged(news), `alert silenced: ${why}`)

  const postNext = async (news: News, send: PostAlert): Promise<boolean> => {
    const now = clock.now()
    while (posted[0] !== undefined && posted[0] <= now - hourMs) posted.shift()
    if (posted.length >= postsAnHour) {
      logSilenced(news, `more than ${postsAnHour} in an hour`)
      return true
    }
    const isTaken = await send({ ...news, at: now })
    if (isTaken) posted.push(now)
    else log.warn(toLogged(news), 'alert not posted: ALERT_WEBHOOK did not take it; it is tried again')
    return isTaken
  }

  const readWatched = async () => new Map((await store.alertStates()).map(it => [toAlertKey(it.condition), it]))
  const keep = async (states: ReturnType<typeof toKept>) => {
    const text = JSON.stringify(states)
    if (text !== kept) await store.keepAlertStates(states)
    kept = text
  }

  return {
    name: 'raiseAlerts',
    channel: 'deadlines',
    idleMs: checkEveryMs,
    async runOnce() {
      const followed = followAlerts(watched ?? (await readWatched()), conditionsOf(await read()), clock.now())
      watched = followed.watched
      for (const news of followed.news) {
        if (!post) logSilenced(news, 'ALERT_WEBHOOK is not set')
        else if (waiting.length >= maxWaiting) logSilenced(news, 'too many wait')
        else waiting.push(news)
      }
      for (let [next] = waiting; post && next && (await postNext(next, post)); [next] = waiting) waiting.shift()
      await keep(toKept(watched, waiting))
      return false
    },
  }
}

const toLogged = ({ alert, subject, status, words, since }: News) => ({
  ...{ alert, subject, status, words, since: new Date(since).toISOString() },
})
