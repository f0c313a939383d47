import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fullyCalled, type PushCall, pickPushes } from '../../src/domain/agents/pushTurns.ts'
import { limits } from '../../src/domain/limits.ts'
import { account } from '../store/rows.ts'

const call = (id: string, agent: number, { owner = agent, isFree = true } = {}): PushCall => ({
  id,
  agentId: `97:${account(9)}:${agent}`,
  owner: account(owner),
  isFree,
})
const ids = (calls: PushCall[]) => calls.map(it => it.id)
const { pushesOfAgentAtOnce: ofAgent, pushesOfOwnerAtOnce: ofOwner, freePushesOfOwnerAtOnce: freeOfOwner } = limits

test('paid jobs are pushed first, then one of each owner and of each agent before a second of any', () => {
  const due = [call('a1', 1), call('a2', 1), call('b1', 2), call('c1', 3, { isFree: false }), call('b2', 4, { owner: 2 })]
  expect(ids(pickPushes(due, [], 9))).toEqual(['c1', 'a1', 'b1', 'b2', 'a2'])
  expect(ids(pickPushes(due, [call('a0', 1)], 2))).toEqual(['c1', 'b1'])
})

test('a job that is being pushed is not picked again', () => {
  expect(ids(pickPushes([call('a1', 1), call('a2', 1)], [call('a1', 1)], 9))).toEqual(['a2'])
})

test('hanging free jobs of many owners leave half of the places to paid jobs', () => {
  const free = Array.from({ length: 400 }, (_, at) => call(`f${at}`, at))
  const hanging = pickPushes(free, [], limits.pushesAtOnce)
  expect(hanging).toHaveLength(limits.freePushesAtOnce)
  const paid = Array.from({ length: 40 }, (_, at) => call(`p${at}`, 500 + at, { isFree: false }))
  const next = pickPushes([...paid, ...free], hanging, limits.pushesAtOnce - hanging.length)
  expect(ids(next)).toEqual(ids(paid).slice(0, limits.pushesAtOnce - limits.freePushesAtOnce))
})

const calls = fc
  .array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 1 }), fc.boolean()), { maxLength: 60 })
  .map(all => all.map(([agent, owner, isFree], at) => call(`${at}`, agent, { owner: owner * 4 + (agent % 2), isFree })))

test('no agent and no owner gets more calls at once than allowed, and no usable place is left empty', () => {
  fc.assert(
    fc.property(calls, fc.nat({ max: 12 }), fc.nat({ max: 40 }), (all, under, places) => {
      const calling = pickPushes(all.slice(0, under), [], under)
      const picked = pickPushes(all.slice(under), calling, places)
      const after = [...calling, ...picked]
      const countBy = (key: (it: PushCall) => string, value: string) => after.filter(it => key(it) === value).length
      for (const it of after) {
        expect(countBy(of => of.agentId, it.agentId)).toBeLessThanOrEqual(ofAgent)
        expect(countBy(of => of.owner, it.owner)).toBeLessThanOrEqual(ofOwner)
        expect(after.filter(of => of.isFree && of.owner === it.owner).length).toBeLessThanOrEqual(freeOfOwner)
      }
      const hasFreeRoom = ({ owner }: PushCall) => after.filter(it => it.isFree && it.owner === owner).length < freeOfOwner
      const full = fullyCalled(after)
      const left = all.slice(under).filter(it => !picked.includes(it))
      const usable = left.filter(
        it => !full.agents.includes(it.agentId) && !full.owners.includes(it.owner) && (!it.isFree || hasFreeRoom(it)),
      )
      expect(picked.length === places || usable.length === 0).toBe(true)
    }),
  )
})
