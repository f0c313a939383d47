import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as graph from '../../graphs/butler/graph.ts'
import { drawing } from '../docs/generated.ts'
import { fresh, proposal, states } from './states.ts'

const routes = {
  __start__: graph.fromStart,
  understand: graph.afterUnderstand,
  answer: graph.afterAnswer,
  choose: graph.afterChoose,
  fill: graph.afterFill,
  ask: graph.afterAsk,
  propose: graph.afterPropose,
  plan: graph.afterPlan,
  start: graph.afterStart,
  quote: graph.afterQuote,
  consent: graph.afterConsent,
  buy: graph.afterBuy,
  escrow: graph.afterEscrow,
  dispatch: graph.afterDispatch,
  evaluate: graph.afterEvaluate,
  revise: graph.afterRevise,
}

const edges = [...(await drawing()).matchAll(/^\s*(\w+) -(\.)?-> (\w+);$/gm)].map(([, from = '', dotted, to = '']) => ({
  from,
  dotted,
  to,
}))
const targetsOf = (node: string) => edges.filter(it => it.from === node).map(it => it.to)

test('every node with a routing decision has a route here', () => {
  expect(new Set(edges.filter(it => it.dotted).map(it => it.from))).toEqual(new Set(Object.keys(routes)))
})

describe.each(Object.entries(routes))('after %s', (node, route) => {
  test('any state leads to one of the targets in the drawing, always the same one, and is not changed', () => {
    const reached = new Set<string>()
    fc.assert(
      fc.property(states, state => {
        const before = structuredClone(state)
        const to = route(state)
        expect(targetsOf(node)).toContain(to)
        expect(route(state)).toBe(to)
        expect(state).toEqual(before)
        reached.add(to)
      }),
      { numRuns: 200 },
    )
    expect([...reached].sort()).toEqual(targetsOf(node).sort())
  })
})

test('only a yes leads to the escrow or the payment, and only a verdict that passes to the settlement', () => {
  fc.assert(
    fc.property(states, state => {
      expect(graph.afterConsent(state) === 'escrow').toBe(
        state.decision === 'yes' && state.purchase === undefined && state.planned === undefined,
      )
      expect(graph.afterConsent(state) === 'start').toBe(state.decision === 'yes' && state.planned !== undefined)
      expect(graph.afterConsent(state) === 'buy').toBe(
        state.decision === 'yes' && state.purchase !== undefined && state.planned === undefined,
      )
      // A quoted purchase is paid without a question only where its consent is recorded.
      expect(graph.afterQuote(state) === 'buy').toBe(state.isBought)
      expect(graph.afterEvaluate(state) === 'settle').toBe(state.verdict?.pass === true && !state.verdict.doubted)
      // Money is returned only for a fault found by code.
      expect(graph.afterRevise(state) === 'refund').toBe(!state.revised && state.verdict?.pass !== true)
    }),
  )
})

test('nothing but consent leads to the escrow, and nothing but escrow and revise to the agent', () => {
  const into = (node: string) => edges.filter(it => it.to === node).map(it => it.from)
  // The run of a step begins at the escrow, or at the payment: its plan has the yes, for which the write looks.
  expect(into('escrow').sort()).toEqual(['__start__', 'consent'])
  expect(into('start').sort()).toEqual(['consent', 'wait'])
  expect(into('consent').sort()).toEqual(['answer', 'plan', 'propose', 'quote', 'understand'])
  expect(into('buy').sort()).toEqual(['__start__', 'consent', 'quote'])
  expect(into('dispatch').sort()).toEqual(['escrow', 'revise'])
  expect(into('settle').sort()).toEqual(['evaluate', 'revise'])
  expect(into('refund')).toEqual(['revise'])
})

test('an offering that is gone leads back to the search and is never proposed', () => {
  expect(graph.afterPropose(fresh)).toBe('search')
  expect(graph.afterPropose({ ...fresh, proposal })).toBe('consent')
})
