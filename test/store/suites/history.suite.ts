import { expect, test } from 'vitest'
import { dayMs } from '../../../src/domain/durations.ts'
import { type Address, nobody } from '../../../src/domain/hex.ts'
import { limits } from '../../../src/domain/limits.ts'
import type { HistoryStep } from '../../../src/domain/runs/history.ts'
import { addRun, chainId, countUp, user } from '../rows.ts'
import { describeStores } from '../stores.ts'

const step = (number: number, text = ''): HistoryStep => ({
  ...{ step: number, node: 'choose', model: 'rules', model_ms: 0, update: { round: number } },
  calls: [{ port: 'model.choose', args: [text] }],
})

describeStores('histories of runs', fresh => {
  test('a step that runs again replaces itself, and a worker that lost the run adds nothing', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await addRun(one)
    await one.addRunSteps('run-1', [step(1), step(2, 'first')])
    await one.addRunSteps('run-1', [step(2, 'second'), step(3)])
    expect(await two.runSteps('run-1')).toEqual([step(1), step(2, 'second'), step(3)])
    const [claimed] = await one.claimRuns(60_000, 1)
    await two.addRunSteps('run-1', [step(4)], '999')
    await one.addRunSteps('run-1', [step(5)], claimed?.lease)
    expect((await two.runSteps('run-1')).map(it => it.step)).toEqual([1, 2, 3, 5])
    await one.addRunSteps('no-run', [step(1)])
    expect(await one.runSteps('no-run')).toEqual([])
  })

  test('of steps beyond the bytes or calls of a run only their nodes are kept', async () => {
    const { open } = await fresh()
    const store = await open()
    await addRun(store)
    // Each part of a run adds to its limit.
    const half = 'x'.repeat(limits.historyBytes / 2)
    await store.addRunSteps('run-1', [step(1, half)])
    await store.addRunSteps('run-1', [step(2, half), step(3)])
    expect(await store.runSteps('run-1')).toMatchObject([
      { step: 1, calls: [{ port: 'model.choose' }] },
      { step: 2, node: 'choose', calls: [], update: {}, is_cut: true },
      { step: 3, calls: [{ port: 'model.choose' }] },
    ])
    await addRun(store, 'run-2')
    const call = { port: 'now', args: [] }
    await store.addRunSteps('run-2', [{ ...step(1), calls: countUp(limits.historyCalls).map(() => call) }, step(2)])
    expect((await store.runSteps('run-2')).map(it => it.is_cut ?? false)).toEqual([false, true])
  })

  test.each(['this', 'another'] as const)('a run goes on with its history after %s process deleted it', async who => {
    const [one, two] = await (await fresh()).openRivals()
    await addRun(one)
    const advance = async (steps: HistoryStep[], state: 'awaiting-input' | 'completed' = 'awaiting-input') => {
      await one.wakeRun('run-1')
      const [held] = await one.claimRuns(60_000, 1)
      const snapshot = {
        state,
        interruptId: 'i',
        answer: 'A',
        questions: undefined,
        proposal: undefined,
        jobId: undefined,
        steps,
      }
      expect(await one.releaseRun('run-1', held?.lease ?? '', snapshot)).toBe(true)
    }
    await advance([step(1)])
    await one.db.tx(sql => sql('update run_step set at = at - $1', [2 * dayMs]))
    await (who === 'this' ? one : two).sweepRunSteps({ keepMs: dayMs, most: 100 })
    expect(await one.runSteps('run-1')).toEqual([])
    await advance([step(2), step(3)])
    expect(await two.runSteps('run-1')).toEqual([step(2), step(3)])
    await advance([step(4)], 'completed')
    expect((await two.runSteps('run-1')).map(it => it.step).slice(-3)).toEqual([2, 3, 4])
  })

  test('histories are deleted with their run, after their time, beyond their number, and beyond the newest runs of a user', async () => {
    const store = await (await fresh()).open()
    const add = (id: string, of: Address) =>
      store.addRun({ id, conversationId: 'c', user: of, chainId, task: 'Task', answer: 'Ended' })
    const kept = async (id: string) => (await store.runSteps(id)).length
    await add('ownerless', nobody)
    await store.addRunSteps('ownerless', [step(1)])
    for (const at of countUp(limits.historyRuns + 1)) {
      await add(`run-${at}`, user)
      await store.addRunSteps(`run-${at}`, [step(1), step(2)])
    }
    expect([await kept('run-0'), await kept('run-1'), await kept('ownerless')]).toEqual([0, 2, 1])

    const [third, second, last] = [2, 1, 0].map(it => `run-${limits.historyRuns - it}`)
    expect(await store.sweepRunSteps({ keepMs: dayMs, most: 2 })).toBe(false)
    expect([await kept(third ?? ''), await kept(second ?? ''), await kept(last ?? '')]).toEqual([0, 2, 2])

    await store.db.tx(sql => sql('update run_step set at = at - $1 where run_id = $2', [2 * dayMs, second]))
    expect(await store.sweepRunSteps({ keepMs: dayMs, most: 100 })).toBe(false)
    expect([await kept(second ?? ''), await kept(last ?? '')]).toEqual([0, 2])

    await store.addRunSteps('ownerless', [step(1)])
    await store.db.tx(sql => sql('update run set updated_at = updated_at - $1', [2 * dayMs]))
    await store.sweepRecords(dayMs)
    expect([await store.run('ownerless'), await kept('ownerless'), await kept(last ?? '')]).toEqual([undefined, 0, 2])
  })
})
