import { inSequence } from './inSequence.ts'

const pageRows = 100

type ReadPage<T> = (chainId: number, page: { afterSeq: number; limit: number }) => Promise<(T & { seq: number })[]>

/**
 * Does the work for every row of a paged list, such as a job. One whose work fails, or that stays on the list, does not delay
 * those after it.
 * @throws the first failure, after all rows were processed
 */
export const everyPage = <T>(readPage: ReadPage<T>, chainId: number, work: (row: T) => Promise<unknown>): Promise<void> => {
  const from = async (afterSeq: number): Promise<void> => {
    const page = await readPage(chainId, { afterSeq, limit: pageRows })
    const last = page.at(-1)?.seq
    const rest = page.length >= pageRows && last !== undefined ? [() => from(last)] : []
    await inSequence([...page.map(row => () => work(row)), ...rest], it => it())
  }
  return from(0)
}
