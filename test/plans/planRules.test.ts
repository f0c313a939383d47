import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { whyNotOpen } from '../../src/domain/plans/mayOpen.ts'
import { disorderOf } from '../../src/domain/plans/order.ts'
import { toPlanDigest } from '../../src/domain/plans/plan.ts'
import { toPlanPriceText, toPlanText } from '../../src/domain/plans/planText.ts'
import { convert, resolve, valueAt } from '../../src/domain/plans/pointer.ts'
import { billOf, decidePlan, type PlanRows, type Try } from '../../src/domain/plans/progress.ts'
import { conversionFor, isGuarded, referenceFor } from '../../src/domain/plans/references.ts'
import { hire, opening, planOf, step, tried } from './planRows.ts'

describe('a step that pays for an address', () => {
  const bought = { id: 'run-1_pay_1', kind: 'purchase' as const, chainId: 97, url: 'https://a.org/w', method: 'GET' as const }
  const paid = { total: '1', payee: '0x1', asset: '0x2', payer: '0x3', description: '', lapsesAt: 0, mandate: null }
  const purchase = { ...bought, ...paid, digest: 'd1' }
  const plan = planOf([{ ...step(1), purchase }, step(2, { needs: [1] })])
  const paying = (job: Partial<NonNullable<Try['job']>>): PlanRows => {
    const own = tried('settled')
    const tries = [{ ...own, job: own.job && { ...own.job, ...job } }]
    return { plan, state: 'running', agreedAt: 0, isStopped: false, steps: [{ number: 1, skipped: undefined, tries }] }
  }

  test('it opens only with the digest of the purchase that is in the plan', () => {
    expect(whyNotOpen(opening(plan, 1, { digest: 'd1' }))).toBeUndefined()
    expect(whyNotOpen(opening(plan, 1, { digest: 'd2' }))).toBe('The terms are not those of the plan.')
    expect(whyNotOpen(opening(plan, 1, { digest: 'd1', amount: 2n }))).toBe('The step costs more than the plan says.')
  })

  test('another payee, address, price or request is another plan', () => {
    const others = [{ payee: '0x9' }, { url: 'https://b.org' }, { method: 'POST' as const }, { total: '2' }, { digest: 'd2' }]
    const digests = others.map(it => planOf([{ ...step(1), purchase: { ...purchase, ...it } }, step(2, { needs: [1] })]).digest)
    expect(new Set([...digests, plan.digest]).size).toBe(others.length + 1)
  })

  test.each<[string, Parameters<typeof paying>[0], object, bigint]>([
    [
      'is under way',
      { state: 'escrowed', bought: { isServed: false, isLost: false } },
      { start: [], skip: [], isOver: false },
      0n,
    ],
    ['was answered', { bought: { isServed: true, isLost: false } }, { start: [{ number: 2, attempt: 0 }], skip: [] }, 1n],
    ['was paid and not answered', { bought: { isServed: false, isLost: true } }, { start: [], skip: [{ number: 2 }] }, 1n],
    ['was not paid', { state: 'cancelled', bought: { isServed: false, isLost: false } }, { skip: [{ number: 2 }] }, 0n],
    [
      'was refused',
      { state: 'escrowed', bought: { isServed: false, isLost: true } },
      { skip: [{ number: 2 }], isOver: false },
      0n,
    ],
  ])('what needs its answer starts only after it was paid and answered: the payment %s', (_, job, todo, sum) => {
    expect(decidePlan(paying(job), 0)).toMatchObject(todo)
    expect(billOf(paying(job)).paid).toBe(sum)
  })

  test('what a seller by use did not take is not spent, and is no refund', () => {
    const bought = { isServed: true, isLost: false }
    const rows = paying({ bought, budget: 5n, returned: 3n })
    expect(billOf(rows)).toEqual({ paid: 2n, refunded: 0n, reserved: 0n, unused: 0n })
    expect(billOf(paying({ bought, budget: 5n, returned: 5n }))).toEqual({ paid: 0n, refunded: 0n, reserved: 0n, unused: 0n })
  })

  test('its text says the most of a price by use, what the seller gets and says, and that only a hire is refunded', () => {
    const more = { scheme: 'upto' as const, bodyHash: 'ab12', description: 'Weather', outside: 'Nobody checked it.' }
    const steps = [{ ...step(1), purchase: { ...purchase, ...more } }, { ...step(2), purchase }, step(3)]
    const text = toPlanText(planOf(steps))
    for (const words of ['(agent-1) for up to 1 USDC', '(agent-2) for 1 USDC', 'your JSON (SHA-256 ab12)', 'a GET request'])
      expect(text).toContain(words)
    for (const words of ['It says    Weather', 'Listed     Nobody checked it.', 'a hire that fails comes back', 'stays paid'])
      expect(text).toContain(words)
    expect(text).not.toContain('A step that fails is refunded')
    expect(toPlanPriceText(planOf(steps))).toContain('up to 1 USDC for step 1')
    expect(toPlanText(planOf([step(1), step(2)]))).toContain('A step that fails is refunded')
  })
})

describe('references', () => {
  test.each([
    ['', '{"a":1}', '{"a":1}'],
    ['/a', '{"a":1}', 1],
    ['/a/1/b', '{"a":[0,{"b":"x"}]}', 'x'],
    ['/a~1b/m~0n', '{"a/b":{"m~n":2}}', 2],
    ['/constructor', '{}', undefined],
    ['/a', 'no JSON', undefined],
    ['/a/01', '{"a":[1,2]}', undefined],
  ])('the pointer %j in a deliverable gives only what stands there', (path, deliverable, value) => {
    expect(valueAt(deliverable, path)).toEqual(value)
  })

  test.each([
    [{ type: 'string' }, { type: 'string' }, {}],
    [{ type: 'integer' }, { type: 'number' }, {}],
    [{ type: 'number' }, { type: 'string' }, { as: 'text' }],
    [{ type: 'string' }, { type: 'array', items: { type: 'string' } }, { as: 'list' }],
    [{ type: 'array', items: { type: 'string' } }, { type: 'string', description: 'several lines' }, { as: 'joined' }],
    [{ type: 'array', items: { type: 'string' } }, { type: 'string', description: 'the city' }, undefined],
    [{ type: 'string' }, { type: 'number' }, undefined],
    [{ type: 'number' }, { type: 'integer' }, undefined],
    [{ type: 'string' }, { type: 'string', enum: ['a'] }, undefined],
    [{ type: 'string', enum: ['a'] }, { type: 'string', enum: ['a', 'b'] }, {}],
    [{ type: 'string' }, { type: 'string', format: 'date' }, undefined],
    [{ type: 'object' }, { type: 'object' }, undefined],
  ])('%j fits %j only where nothing is lost', (from, to, fit) => {
    expect(conversionFor(from, to)).toEqual(fit)
  })

  test('a conversion gives the value that was promised', () => {
    expect([convert(1.5, 'text'), convert('a', 'list'), convert(['a', 2], 'joined')]).toEqual(['1.5', ['a'], 'a\n2'])
    expect([convert({ a: 1 }, 'text'), convert([{ a: 1 }], 'joined')]).toEqual([undefined, undefined])
    const given = new Map([[1, '{"n":3}']])
    expect(resolve({ from: 1, path: '/n', as: 'text' }, given)).toBe('3')
    expect(resolve({ from: 2, path: '/n' }, given)).toBeUndefined()
  })

  test('where several values of a deliverable fit alike, none is guessed', () => {
    const texts = (...names: string[]) => ({
      type: 'object',
      properties: Object.fromEntries(names.map(it => [it, { type: 'string' }])),
    })
    const of = (words: string, deliverable: ReturnType<typeof texts>) =>
      referenceFor({ requirement: texts('text'), member: 'text', words, from: { number: 1, task: 'Read it', deliverable } })
    expect(of('it', texts('first', 'second'))).toBeUndefined()
    expect(of('the summary', texts('title', 'summary'))).toEqual({ from: 1, path: '/summary' })
    expect(of('it', texts('title', 'text'))).toEqual({ from: 1, path: '/text' })
    expect(of('it', { type: 'object', properties: {} })).toBeUndefined()
  })

  test.each([
    'wallet',
    'recipient',
    'emailAddress',
    'to',
    'url',
    'callback_url',
    'emails',
    'addresses',
    'destination',
    'webhooks',
  ])('a member such as %s is never filled by a result alone', name => expect(isGuarded(name, { type: 'string' })).toBe(true))
  test('a member for links may take any text where its description says so, and one for wallets or mail never', () =>
    expect(
      ['url', 'wallet', 'email'].map(name => isGuarded(name, { type: 'string', description: 'where to, or any text' })),
    ).toEqual([false, true, true]))
  test('a list is filled by a list only where the form of its items is promised', () => {
    const list = (items: JsonObject) => ({ type: 'array', items: { type: 'string', ...items } })
    expect(isGuarded('who', list({ format: 'email' }))).toBe(true)
    expect(conversionFor(list({}), list({ pattern: '^a' }))).toBeUndefined()
    expect(conversionFor({ type: 'string' }, list({ enum: ['a'] }))).toBeUndefined()
    expect(conversionFor(list({}), list({}))).toEqual({})
  })
  test('a member with the form of an address is never filled by a result alone', () =>
    expect([isGuarded('where', { type: 'string', format: 'uri' }), isGuarded('city', { type: 'string' })]).toEqual([true, false]))
})

describe('the terms of a plan', () => {
  test('steps in a circle, or that take the result of no step, are no plan', () => {
    expect(disorderOf([step(1, { needs: [2] }), step(2, { needs: [1] })])).toContain('each other')
    expect(disorderOf([step(1, { needs: [7] })])).toContain('step 7')
    expect(disorderOf([step(1), step(1)])).toContain('same number')
    expect(disorderOf([step(2, { needs: [1] }), step(1), step(3, { needs: [1, 2] })])).toBeUndefined()
  })

  test('any change of a step, a reference, a standby or the total changes the digest', () => {
    const plan = planOf([step(1, { standby: hire('other', '1') }), step(2, { needs: [1] })])
    const [first, second] = plan.steps
    if (!first || !second) throw new Error('no steps')
    const digests = [
      plan,
      { ...plan, total: '3' },
      { ...plan, withinMinutes: plan.withinMinutes + 1 },
      { ...plan, steps: [second] },
      { ...plan, steps: [first, { ...second, references: { of1: { from: 1, path: '/else' } } }] },
      { ...plan, steps: [{ ...first, standby: hire('other', '0.9') }, second] },
      { ...plan, steps: [{ ...first, values: { city: 'Oslo' } }, second] },
    ].map(toPlanDigest)
    expect(new Set(digests).size).toBe(digests.length)
    expect(digests[0]).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('the write that opens a step', () => {
  const plan = planOf([step(1), step(2, { needs: [1] })])
  const bad = opening(plan, 2)

  test('a step of an agreed plan opens, with the results that were accepted', () => {
    expect([whyNotOpen(opening(plan, 1)), whyNotOpen(bad)]).toEqual([undefined, undefined])
  })

  test.each([
    ['without a yes to this digest', { consents: ['0'.repeat(32)] }, 'no yes'],
    ['of a plan that does not run', { rows: { ...bad.rows, state: 'declined' as const } }, 'does not run'],
    ['of a plan that was stopped', { rows: { ...bad.rows, isStopped: true } }, 'stopped'],
    ['after the time of the plan', { now: 1e12 }, 'time of the plan'],
    ['that is not in the plan', { number: 7 }, 'not in the plan'],
    ['twice', { isOpened: true }, 'opened before'],
    ['with other terms', { digest: 'f'.repeat(32) }, 'not those of the plan'],
    ['with a result that was not accepted', { deliverables: new Map<number, string>() }, 'not accepted'],
    ['with another result than was accepted', { deliverables: new Map([[1, '{"out":"other"}']]) }, 'not those of the plan'],
    ['that costs more than the plan says', { amount: 2n }, 'costs more'],
    ['that would pass the total', { total: 1n }, 'total'],
  ])('refuses a step %s', (_, over, why) => {
    expect(whyNotOpen({ ...bad, ...over })).toContain(why)
  })

  test('opens a standby once, and only when the money of the first attempt is back', () => {
    const own = planOf([step(1, { standby: hire('other', '1') })])
    const of = (first: Parameters<typeof tried>[0]) => {
      const it = opening(own, 1)
      const tries = [tried(first), tried('started', { attempt: 1 })]
      const filled = opening(planOf([{ ...step(1), ...hire('other', '1') }]), 1)
      return whyNotOpen({
        ...it,
        attempt: 1,
        digest: filled.digest,
        rows: { ...it.rows, steps: [{ number: 1, skipped: undefined, tries }] },
      })
    }
    expect(of('refunded')).toBeUndefined()
    expect(of('cancelled')).toBeUndefined()
    for (const state of ['leased', 'submitted', 'settling', 'settled', 'rejected', 'expired'] as const)
      expect([state, of(state)]).toEqual([state, expect.any(String)])
  })
})

describe('a running plan', () => {
  const outcomes = fc.constantFrom('settled', 'refunded', 'cancelled', 'ended') as fc.Arbitrary<Parameters<typeof tried>[0]>

  test('ends whatever its steps come to, starts each attempt once, and never commits more than its total', () => {
    const plans = fc.integer({ min: 2, max: 8 }).chain(count =>
      fc.record({
        needs: fc.array(fc.array(fc.nat({ max: 7 }), { maxLength: 2 }), { minLength: count, maxLength: count }),
        standbys: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
        comes: fc.array(outcomes, { minLength: 2 * count, maxLength: 2 * count }),
      }),
    )
    fc.assert(
      fc.property(plans, ({ needs, standbys, comes }) => {
        const plan = planOf(
          needs.map((own, at) =>
            step(at + 1, {
              needs: [...new Set(own.filter(it => it < at).map(it => it + 1))],
              ...(standbys[at] && { standby: hire('other', '1') }),
            }),
          ),
        )
        const rows: PlanRows = { plan, state: 'running', agreedAt: 0, isStopped: false, steps: [] }
        const started = new Set<string>()
        for (let rounds = 0; ; rounds += 1) {
          expect(rounds).toBeLessThan(40)
          const todo = decidePlan(rows, 0)
          if (todo.isOver) break
          expect(todo.start.length + todo.skip.length).toBeGreaterThan(0)
          for (const { number, reason } of todo.skip) rows.steps.push({ number, skipped: reason, tries: [] })
          for (const { number, attempt } of todo.start) {
            expect(started.has(`${number}:${attempt}`)).toBe(false)
            started.add(`${number}:${attempt}`)
            const of = rows.steps.find(it => it.number === number) ?? { number, skipped: undefined, tries: [] }
            if (attempt === 0) rows.steps.push(of)
            of.tries.push(tried(comes[2 * (number - 1) + attempt] ?? 'settled', { attempt }))
            const { paid, reserved } = billOf(rows)
            expect(paid + reserved <= BigInt(plan.total)).toBe(true)
          }
        }
        expect(new Set(rows.steps.map(it => it.number)).size).toBe(plan.steps.length)
        expect(billOf(rows).reserved).toBe(0n)
      }),
    )
  })

  test('a step whose deliverable was accepted has no standby, though its payment came back: it may be mined again', () => {
    const plan = planOf([step(1, { standby: hire('other', '1') }), step(2, { needs: [1] })])
    const back = (wasAccepted: boolean): PlanRows => {
      const { job, ...of } = tried('refunded')
      const tries = [{ ...of, job: job && { ...job, wasAccepted } }]
      return { plan, state: 'running', agreedAt: 0, isStopped: false, steps: [{ number: 1, skipped: undefined, tries }] }
    }
    expect(decidePlan(back(false), 0).start).toEqual([{ number: 1, attempt: 1 }])
    expect(decidePlan(back(true), 0)).toMatchObject({ start: [], skip: [{ number: 2 }] })
  })

  test('a plan that was stopped starts nothing more, and no standby', () => {
    const plan = planOf([step(1, { standby: hire('other', '1') }), step(2)])
    const steps = [{ number: 1, skipped: undefined, tries: [tried('refunded')] }]
    expect(decidePlan({ plan, state: 'running', agreedAt: 0, isStopped: true, steps }, 0)).toMatchObject({
      start: [],
      skip: [{ number: 2 }],
    })
  })
})
