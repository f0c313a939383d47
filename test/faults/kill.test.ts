import { expect, test, vi } from 'vitest'
import { cook, cookings } from './audit/cooked.ts'
import type { Effect } from './crash.ts'
import { openMarket, type Recovery } from './market.ts'
import { task } from './provider.ts'

vi.setConfig({ maxConcurrency: 2, testTimeout: 90_000 })

const moments = {
  'the escrow is funded': 'funded',
  'the job is leased': 'leased',
  'the deliverable is stored': 'stored',
  'the settle transaction is sent': 'sent',
} as const satisfies Record<string, Effect>
type Moment = keyof typeof moments

const atProposal = 'the proposal is shown'
const hires: (Moment | typeof atProposal)[][] = [
  [atProposal, 'the escrow is funded', 'the deliverable is stored'],
  ['the job is leased', 'the settle transaction is sent'],
]

// More moments, and two kills at counted calls of the ports: npm run fault.
for (const [at, killedWhen] of hires.entries())
  test.concurrent(`killed when ${killedWhen.join(' and again when ')}, the job ends settled once`, async ({ onTestFinished }) => {
    const recoveries: Recovery[] = []
    const deaths = killedWhen.map(it => (it === atProposal ? [] : [{ after: moments[it] }]))
    const market = await openMarket({ deaths, onRecovery: it => recoveries.push(it) })
    onTestFinished(market.close)
    const shown = await market.user.say(task)
    if (killedWhen.includes(atProposal)) market.kill()
    const { state } = await Promise.race([market.user.confirm(shown), market.failed])
    expect(state).toBe('completed')
    expect(await market.audit()).toEqual({ violations: [], usdcLost: 0n, usdcCreated: 0n })
    expect(market.kills()).toBe(killedWhen.length)
    expect(recoveries).not.toEqual([])
    // An audit that finds nothing proves little unless it can find something.
    for (const [breaks, sql] of cookings.filter((_, of) => of % hires.length === at)) {
      const ledgers = cook(market.dir, sql)
      const { violations } = await market.audit({ ledgers })
      ledgers.close()
      expect(
        violations.map(it => it.split(' ')[0]),
        sql,
      ).toContain(breaks)
    }
    expect(await market.stop()).toEqual({ code: 0, signal: null, words: '' })
  })
