import { Command, MemorySaver } from '@langchain/langgraph'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { graph } from '../../graphs/studio.ts'

beforeEach(() => {
  // The development server of LangGraph does the same.
  graph.checkpointer = new MemorySaver()
})

const asking = z
  .object({ kind: z.string(), proposal: z.object({ digest: z.string(), agentHandle: z.string().optional() }).optional() })
  .loose()
const visited = new Set<string>()

/** A thread of the studio. Each step returns the pause that it reached, or the answer at its end. */
const thread = (id: string) => {
  const config = { configurable: { thread_id: id } }
  const go = async (input: Parameters<typeof graph.stream>[0]) => {
    for await (const update of await graph.stream(input, { ...config, streamMode: 'updates' }))
      for (const node of Object.keys(update)) if (!node.startsWith('__')) visited.add(node)
    const { values, tasks } = await graph.getState(config)
    const [paused] = tasks.flatMap(it => it.interrupts)
    return paused ? asking.parse(paused.value) : { kind: 'answer', content: z.string().parse(values.content) }
  }
  return {
    start: (message: string) => go({ runId: id, chainId: 97, said: [message] }),
    resume: (reply: Record<string, unknown>) => go(new Command({ resume: reply })),
  }
}
const say = (text: string) => ({ kind: 'answer', text })
const yes = ({ proposal }: { proposal?: { digest: string } | undefined }) => ({
  ...{ kind: 'decision', decision: 'yes', digest: proposal?.digest, text: '' },
})

/** The scripted market of the studio has no plans: test/plans walks these nodes with real rows. */
const ofPlans = ['plan', 'start', 'wait', 'bill']

test('somebody in the studio walks every node of a hire and of a purchase, to settled and to refunded', async () => {
  const settled = thread('settled')
  expect(await settled.start('What is the weather?')).toMatchObject({ kind: 'question' })
  const proposed = asking.parse(await settled.resume(say('Oslo')))
  expect(proposed).toMatchObject({ kind: 'proposal', proposal: { agentHandle: 'sky-watch' } })
  expect(await settled.resume(yes(proposed))).toMatchObject({ kind: 'delivery' })
  expect(await settled.resume({ delivered: true })).toMatchObject({ kind: 'end' })
  expect(await settled.resume({ final: true })).toMatchObject({
    content: expect.stringContaining('0.1 USDC are in the agent wallet'),
  })

  const refunded = thread('refunded')
  expect(await refunded.start('I need a translation')).toMatchObject({ kind: 'choices' })
  const again = asking.parse(await refunded.resume(say('blank-page')))
  expect(again).toMatchObject({ kind: 'proposal', proposal: { agentHandle: 'blank-page' } })
  await refunded.resume(yes(again))
  // Two revisions are asked for, and the third delivery is rejected.
  expect(await refunded.resume({ delivered: true })).toMatchObject({ kind: 'delivery' })
  expect(await refunded.resume({ delivered: true })).toMatchObject({ kind: 'delivery' })
  expect(await refunded.resume({ delivered: true })).toMatchObject({ kind: 'end' })
  expect(await refunded.resume({ final: true })).toMatchObject({
    content: expect.stringContaining('The 0.1 USDC are back in your wallet.'),
  })

  const bought = thread('bought')
  const terms = asking.parse(await bought.start('pay for https://api.example.com/weather, at most 0.05'))
  expect(await bought.resume(yes(terms))).toMatchObject({ kind: 'payment' })
  expect(await bought.resume({ final: true })).toMatchObject({ content: expect.stringContaining('0.02 USDC went to') })

  await thread('answered').start('Thank you!')
  const { nodes } = await graph.getGraphAsync()
  expect([...visited].sort()).toEqual(
    Object.keys(nodes)
      .filter(it => !it.startsWith('__') && !ofPlans.includes(it))
      .sort(),
  )
})

test('in the studio, a delivery that fails once is sent back and then settled, and one that never comes is refunded', async () => {
  const revised = thread('revised')
  const first = asking.parse(await revised.start('Write a haiku about rain'))
  await revised.resume(yes(first))
  expect(await revised.resume({ delivered: true })).toMatchObject({ kind: 'delivery' })
  expect(await revised.resume({ delivered: true })).toMatchObject({ kind: 'end' })
  expect(await revised.resume({ final: true })).toMatchObject({ content: expect.stringContaining('An old silent pond.') })

  const late = thread('late')
  await late.resume(yes(asking.parse(await late.start('Write a haiku about rain'))))
  await late.resume({ delivered: false })
  expect(await late.resume({ final: true })).toMatchObject({ content: expect.stringContaining('are back in your wallet') })
})
