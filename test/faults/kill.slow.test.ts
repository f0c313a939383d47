import { expect, test } from 'vitest'
import { cook, cookings } from './audit/cooked.ts'
import type { Effect } from './crash.ts'
import { openMarket, type Recovery } from './market.ts'
import { task } from './provider.ts'

const moments: Effect[] = ['funded', 'leased', 'stored', 'sent']

// `npm run fault` runs more kills, at counted port calls.
test('a service killed at each of five stages, from the proposal to the payment, settles the job exactly once', async ({
  onTestFinished,
}) => {
  const recoveries: Recovery[] = []
  const deaths = [[], ...moments.map(after => [{ after }])]
  const market = await openMarket({ deaths, onRecovery: it => recoveries.push(it) })
  onTestFinished(market.close)
  const shown = await market.user.say(task)
  market.kill()
  const { state } = await Promise.race([market.user.confirm(shown), market.failed])
  expect(state).toBe('completed')
  expect(await market.audit()).toEqual({ violations: [], usdcLost: 0n, usdcCreated: 0n })
  expect(market.kills()).toBe(1 + moments.length)
  expect(recoveries).not.toEqual([])
  // Proves that the audit detects violations.
  for (const [breaks, sql] of cookings) {
    const ledgers = cook(market.dir, sql)
    const { violations, usdcLost, usdcCreated } = await market.audit({ ledgers })
    ledgers.close()
    if (breaks === 'I1') expect(usdcLost + usdcCreated, sql).toBeGreaterThan(0n)
    expect(
      violations.map(it => it.split(' ')[0]),
      sql,
    ).toContain(breaks)
  }
  expect(await market.stop()).toEqual({ code: 0, signal: null, words: '' })
}, 600_000)
