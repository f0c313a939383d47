import { expect, test } from 'vitest'
import type { Offering } from '../../src/web/client/shapes.ts'
import { draftOf, toOffering } from '../../src/web/provider/draft.ts'

const base: Offering = {
  ...{ id: 'a', name: 'A', description: '', job_input: '', job_output: '', requirement: {}, deliverable: {} },
  price_v2: {
    type: 'usage',
    amount: 0.5,
    up_to: 0.5,
    unit: 'pages',
    per_unit: '0.01',
    currency: 'USDC',
    counting: 'stated by the agent',
  },
  ...{ examples: [], tags: [], sample: '', main: '', validation: false, sla_minutes: 1 },
  ...{ restricted: false, hide: false, active: true },
}

test('an offering that is edited stays charged by use, and its cap is the amount that was entered', () => {
  const { price_v2 } = toOffering({ ...draftOf(base), price: '0.7' }, base)
  expect(price_v2).toEqual({ ...base.price_v2, amount: 0.7, up_to: 0.7 })
  expect(toOffering(draftOf(base), undefined).price_v2).toEqual({ type: 'fixed', currency: 'USDC', amount: 0.5 })
})
