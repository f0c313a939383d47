import { Command, END, interrupt, START, StateGraph, StateSchema } from '@langchain/langgraph'
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Db } from '../../../src/store/engine/db.ts'
import { createCheckpointer } from '../../../src/store/runs/checkpointer.ts'
import { describeStores } from '../stores.ts'

const State = new StateSchema({ task: z.string(), price: z.string().default(''), decision: z.string().default('') })

const openGraph = (db: Db, seen: string[] = []) =>
  new StateGraph(State)
    .addNode('propose', ({ task }) => {
      seen.push(`propose ${task}`)
      return { price: '1.5' }
    })
    .addNode('consent', () => ({ decision: String(interrupt({ question: 'yes?' })) }))
    .addNode('pay', ({ decision }) => {
      seen.push(`pay ${decision}`)
      return {}
    })
    .addEdge(START, 'propose')
    .addEdge('propose', 'consent')
    .addEdge('consent', 'pay')
    .addEdge('pay', END)
    .compile({ checkpointer: createCheckpointer(db) })

const thread = (id: string) => ({ configurable: { thread_id: id }, durability: 'sync' as const })
const config = (id?: string) => ({ configurable: { thread_id: 't', checkpoint_ns: '', ...(id && { checkpoint_id: id }) } })

const all = async <T>(source: AsyncIterable<T>): Promise<T[]> => {
  const items: T[] = []
  for await (const it of source) items.push(it)
  return items
}

describeStores('checkpoints', fresh => {
  test('a graph that waits for an answer continues after its database was closed and reopened', async () => {
    const { open } = await fresh()
    const seen: string[] = []
    const before = await open()
    await openGraph(before.db, seen).invoke({ task: 'notes' }, thread('t1'))
    await openGraph(before.db).invoke({ task: 'other' }, thread('t2'))
    await before.close()

    const { db } = await open()
    const graph = openGraph(db, seen)
    const waiting = await graph.getState(thread('t1'))
    expect(waiting).toMatchObject({ next: ['consent'], values: { task: 'notes', price: '1.5' } })
    expect(waiting.tasks[0]?.interrupts).toMatchObject([{ value: { question: 'yes?' } }])
    expect(await graph.invoke(new Command({ resume: 'yes' }), thread('t1'))).toMatchObject({ decision: 'yes' })
    expect(seen).toEqual(['propose notes', 'pay yes'])
    expect((await graph.getState(thread('t2'))).next).toEqual(['consent'])
    const history = await all(graph.getStateHistory(thread('t1')))
    expect(history.map(it => it.next)).toEqual([[], ['pay'], ['consent'], ['propose'], ['__start__']])
  })

  test('a thread is deleted without any other', async () => {
    const { db } = await (await fresh()).open()
    const graph = openGraph(db)
    for (const id of ['t1', 't2']) await graph.invoke({ task: id }, thread(id))
    await createCheckpointer(db).deleteThread('t1')
    expect((await graph.getState(thread('t1'))).values).toEqual({})
    expect((await graph.getState(thread('t2'))).values).toMatchObject({ task: 't2' })
    expect(await db.sql('select distinct thread_id from checkpoint_write')).toMatchObject([{ thread_id: 't2' }])
  })

  test('checkpoints are listed newest first, by filter, limit and time, and the newest is the default', async () => {
    const saver = createCheckpointer((await (await fresh()).open()).db)
    const ids = ['1', '2', '3', '4']
    for (const [step, id] of ids.entries()) {
      const metadata = { source: step % 2 ? 'loop' : 'input', step, parents: {} } as const
      await saver.put(config(ids[step - 1]), { ...emptyCheckpoint(), id, channel_values: { step } }, metadata, {})
    }
    const listed = async (...of: Parameters<typeof saver.list>) => (await all(saver.list(...of))).map(it => it.checkpoint.id)
    expect(await listed(config())).toEqual(['4', '3', '2', '1'])
    expect(await listed(config(), { limit: 1, filter: { source: 'input' } })).toEqual(['3'])
    expect(await listed(config(), { before: config('3') })).toEqual(['2', '1'])
    expect(await listed({ configurable: {} })).toHaveLength(4)
    expect(await saver.getTuple(config())).toMatchObject({
      config: config('4'),
      parentConfig: config('3'),
      metadata: { step: 3 },
    })
    expect((await saver.getTuple(config('1')))?.parentConfig).toBeUndefined()
    expect(await saver.getTuple(config('9'))).toBeUndefined()
  })

  test('of the writes of a task the first result is kept, and the last error', async () => {
    const saver = createCheckpointer((await (await fresh()).open()).db)
    const at = await saver.put(config(), { ...emptyCheckpoint(), id: '1' }, { source: 'input', step: -1, parents: {} }, {})
    await saver.putWrites(
      at,
      [
        ['a', 'first'],
        ['b', new Uint8Array([0, 255])],
      ],
      'task',
    )
    await saver.putWrites(
      at,
      [
        ['a', 'second'],
        ['__error__', 'one'],
      ],
      'task',
    )
    await saver.putWrites(at, [['__error__', 'two']], 'task')
    expect((await saver.getTuple(config()))?.pendingWrites).toEqual([
      ['task', '__error__', 'two'],
      ['task', 'a', 'first'],
      ['task', 'b', new Uint8Array([0, 255])],
    ])
  })
})
