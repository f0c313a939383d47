import { expect, test } from 'vitest'
import { type Listed, outsideTables } from '../../../src/features/outside/ports.ts'
import { account, chainId } from '../rows.ts'
import { describeStores } from '../stores.ts'

const catalogue = 'https://catalogue.example'
const listed = (name: string, over: Partial<Listed> = {}): Listed => ({
  ...{ url: `https://seller.example/${name}`, target: name, method: 'GET', host: 'seller.example', name, description: name },
  ...{ example: { city: 'Tokyo' }, requirement: { type: 'object' }, chainId, asset: account(8), payTo: account(9) },
  ...{ amount: 10n ** 19n, scheme: 'exact', refusal: '', ...over },
})
const page = (pass: number, all: Listed[]) => ({ catalogue, pass, page: 0, listed: all })

describeStores('listings of other services', fresh => {
  test('a listing is shown after a check that passed, and no longer after one that failed', async () => {
    const tables = outsideTables(await (await fresh()).open())
    await tables.openCatalogues([catalogue])
    expect(await tables.dueCatalogue()).toMatchObject({ url: catalogue, pass: 1, page: 0, pages: [] })
    await tables.keepPage(page(1, [listed('one'), listed('two'), listed('three', { refusal: 'chain solana' })]))
    const due = await tables.dueProbes({ ofHost: 20, limit: 10 })
    expect(due.map(it => it.name).toSorted()).toEqual(['one', 'two'])
    expect(await tables.dueProbes({ ofHost: 1, limit: 10 })).toHaveLength(1)
    const keys = due.map(it => it.key)
    expect(await tables.shownListings(keys)).toEqual([])
    for (const key of keys) await tables.keepProbe(key, { verdict: '', asked: 9n ** 19n, pauseMs: 60_000 })
    expect(await tables.shownListings(keys)).toMatchObject([
      { asked: 9n ** 19n, recent: '1' },
      { asked: 9n ** 19n, recent: '1' },
    ])
    expect(await tables.dueProbes({ ofHost: 20, limit: 10 })).toEqual([])
    await tables.keepProbe(keys[0] ?? '', { verdict: 'gone', asked: undefined, pauseMs: 60_000 })
    expect((await tables.shownListings(keys)).map(it => it.key)).toEqual([keys[1]])
    const changed = await tables.changedListings(0, 10)
    expect(changed.find(it => it.key === keys[0])).toMatchObject({ isShown: false, recent: '01', asked: 9n ** 19n })
    expect(await tables.countListings()).toMatchObject([{ url: catalogue, listed: 3, refused: 1, shown: 1 }])
    expect(await tables.countRefused(5)).toEqual([{ refusal: 'chain solana', listings: 1 }])
  })

  test('of any number of listings, each is due again at once', async () => {
    const tables = outsideTables(await (await fresh()).open())
    await tables.openCatalogues([catalogue])
    await tables.keepPage(page(1, [listed('one'), listed('two')]))
    const keys = (await tables.dueProbes({ ofHost: 20, limit: 10 })).map(it => it.key)
    for (const key of keys) await tables.keepProbe(key, { verdict: 'silent', asked: undefined, pauseMs: 60_000 })
    const others = Array.from({ length: 1_100 }, (_, at) => `gone ${at}`)
    await tables.checkAgain([keys[0] ?? '', ...others, keys[1] ?? ''], 0)
    expect((await tables.dueProbes({ ofHost: 20, limit: 10 })).map(it => it.key).toSorted()).toEqual(keys.toSorted())
    await tables.checkAgain([], 0)
  })

  test('a listing whose terms changed is checked again before it is shown, and one that is listed no longer goes', async () => {
    const tables = outsideTables(await (await fresh()).open())
    await tables.openCatalogues([catalogue])
    await tables.keepPage(page(1, [listed('one'), listed('two')]))
    const due = await tables.dueProbes({ ofHost: 20, limit: 10 })
    for (const { key } of due) await tables.keepProbe(key, { verdict: '', asked: 1n, pauseMs: 60_000 })
    const pages = [{ etag: '"1"', isLast: true, chains: '97' }]
    await tables.turnPage({ catalogue, pages, isEnd: true, pauseMs: 0 })
    expect(await tables.dueCatalogue()).toMatchObject({ pass: 2, page: 0, pages })
    await tables.keepPage(page(2, [listed('one', { payTo: account(7) })]))
    expect(await tables.shownListings(due.map(it => it.key))).toMatchObject([{ name: 'two' }])
    await tables.turnPage({ catalogue, pages, isEnd: true, pauseMs: 0 })
    expect((await tables.changedListings(0, 10)).map(it => [it.name, it.isShown, it.payTo])).toEqual([['one', false, account(7)]])
    expect(await tables.listingsOf('one', chainId, '')).toHaveLength(1)
    await tables.openCatalogues([])
    expect(await tables.changedListings(0, 10)).toEqual([])
  })
})
