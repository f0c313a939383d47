import { expect, test } from 'vitest'
import { account } from '../rows.ts'
import { describeStores, type OpenStore } from '../stores.ts'

const owner = account(1)
const keepMs = 60_000

const newFile = (id: string, over: { jobId?: string; sha256?: string } = {}) => ({
  ...{ id, owner, jobId: undefined, sha256: 'ab', bytes: 10, mediaType: 'text/plain', declaredType: undefined },
  ...{ name: 'a.txt', sealed: 'key' },
  ...over,
})
const add = async (store: OpenStore, ...of: Parameters<typeof newFile>) =>
  (await store.addFile(newFile(...of), keepMs))?.file.id ?? expect.fail()

describeStores('files', fresh => {
  test('the same bytes under the same name are one file of their owner, and one of each job', async () => {
    const store = await (await fresh()).open()
    expect([await add(store, 'one'), await add(store, 'two')]).toEqual(['one', 'one'])
    expect(await add(store, 'other', { sha256: 'cd' })).toBe('other')
    for (const jobId of ['job-1', 'job-2']) {
      expect([await add(store, `${jobId}-a`, { jobId }), await add(store, `${jobId}-b`, { jobId })]).toEqual(
        Array(2).fill(`${jobId}-a`),
      )
      expect((await store.filesForJob(jobId)).map(it => it.id)).toEqual([`${jobId}-a`])
    }
    expect((await store.files({ owner, before: undefined, limit: 9 })).map(it => it.id)).toEqual(['other', 'one'])
  })

  test('a file to which jobs refer is known as such, once for several, and is not removed', async () => {
    const store = await (await fresh()).open()
    await add(store, 'free', { sha256: 'cd' })
    await add(store, 'used')
    for (const jobId of ['job-1', 'job-2']) expect(await store.useFiles(jobId, 'input', ['used'])).toBe(true)
    expect([...(await store.usedFiles(['used', 'free', 'none']))]).toEqual(['used'])
    expect(await store.usedFiles([])).toEqual(new Set())
    expect([await store.removeFile('used'), await store.removeFile('free')]).toEqual([false, true])
    expect(await store.useFiles('job-1', 'input', ['free'])).toBe(false)
  })
})
