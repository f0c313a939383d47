import { expect, test } from 'vitest'
import { readDocument } from './generated.ts'
import { faultsOf, isWhole, walksOf } from './walks.ts'

const text = await readDocument('docs/architecture.md')
const walks = walksOf(text)
/** Without the walks through a feature, where one that the document names is left out. */
const open = isWhole(text) ? walks : walks.filter(({ paths }) => !paths.some(it => it.startsWith('features/')))

test('the architecture shows five walks', () => {
  expect(walks.map(it => it.title)).toEqual([
    'A message becomes a hire on chain.',
    'A deliverable becomes a payment.',
    'A chain event becomes a line in the log.',
    'A paid call becomes a payment.',
    'A click on the page becomes a turn.',
  ])
})

test.each(open)('on the walk "$title" each file leads to the next', walk => {
  expect(faultsOf(walk)).toEqual([])
})

// Without a link that is needed, a walk would say less than the code does.
test.each([
  { paths: ['operations/hires/openJob.ts', 'chain/signing/sending.ts'], why: 'the worker between them is left out' },
  { paths: ['workers/watchChain.ts', 'nodes/settle.ts'], why: 'the two have nothing to do with each other' },
  { paths: ['store/jobs/jobMoves.ts', 'http/events/sse.ts'], why: 'the reading operation is left out' },
  { paths: ['operations/hires/openJob.ts', 'operations/hires/gone.ts'], why: 'the file is gone' },
])('a walk over $paths is refused: $why', ({ paths }) => {
  expect(faultsOf({ title: '', paths })).toHaveLength(1)
})

test('a walk whose files stand in the wrong order is refused', () => {
  const [first] = walks
  const { title = '', paths = [] } = first ?? {}
  expect(faultsOf({ title, paths: [...paths.slice(3), ...paths.slice(0, 3)] })).not.toEqual([])
})
