import type { Job, ReadJobPage } from '../ports.ts'
import { inSequence } from './inSequence.ts'

const pageRows = 100

/**
 * Does the work for every job of a paged list. A job whose work fails, or that stays on the list, does not delay the jobs after
 * it.
 * @throws the first failure, after all jobs were processed
 */
export const everyPage = (readPage: ReadJobPage, chainId: number, work: (job: Job) => Promise<unknown>): Promise<void> => {
  const from = async (afterSeq: number): Promise<void> => {
    const page = await readPage(chainId, { afterSeq, limit: pageRows })
    const last = page.at(-1)?.seq
    const rest = page.length === pageRows && last !== undefined ? [() => from(last)] : []
    await inSequence([...page.map(job => () => work(job)), ...rest], it => it())
  }
  return from(0)
}
