type Page = { afterSeq: number; limit: number }

const pageRows = 100

/** Does one thing after the other for each row of a chain, which are read page by page. The first failure ends it. */
export const everyRow = async <T extends { seq: number }>(
  readPage: (chainId: number, page: Page) => Promise<T[]>,
  chainId: number,
  work: (row: T) => Promise<unknown>,
): Promise<void> => {
  for (let page = await readPage(chainId, { afterSeq: 0, limit: pageRows }); page.length > 0; ) {
    for (const row of page) await work(row)
    page = await readPage(chainId, { afterSeq: page.at(-1)?.seq ?? 0, limit: pageRows })
  }
}
