import { expect, test } from 'vitest'
import { changeSteps } from '../../graphs/butler/turns/onPlan.ts'
import { planOf, step } from '../plans/planRows.ts'
import { fresh } from './states.ts'

const draft = (at: number) => ({
  ...{ at, words: `Do ${at}`, takes: [], reason: '', others: [], said: [], values: {}, references: {}, questions: [], open: {} },
  ...{ asks: {}, leftOut: [], isChanged: false },
})
const paying = { ...draft(0), resource: { url: 'https://seller.example/weather' } }
const state = { ...fresh, stage: 'proposal' as const, planned: planOf([step(1), step(2)]), drafts: [paying, draft(1)] }

/** What becomes of the plan when a model read a change of one of its steps. */
const changed = (number: number, isLeftOut = false) => {
  const part = { tool: 'change_proposal' as const, picks: [], input: {}, concluded: [], evidence: [], asks: {} }
  const several = [{ ...part, task: '', limits: {}, step: number, isLeftOut }]
  const called = { ...part, isNone: false, query: '', wishes: [], words: '', isStrange: false, topic: '', several }
  return changeSteps(state, { called, text: 'make it Oslo' } as unknown as Parameters<typeof changeSteps>[1])
}

test('a step that pays for an address keeps its terms, whatever change of it a model reads, and may be left out', () => {
  expect(changed(1)).toMatchObject({ to: 'answer', content: expect.stringContaining('The seller sets the terms of step 1.') })
  expect(changed(1)).not.toHaveProperty('drafts')
  expect(changed(1, true)).toMatchObject({ to: 'plan', drafts: [{ at: 1 }] })
  expect(changed(2)).toMatchObject({
    to: 'plan',
    drafts: [
      { at: 0, said: [] },
      { at: 1, isChanged: true },
    ],
  })
})
