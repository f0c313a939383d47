import { isFinal, isJobState } from '../../../src/domain/jobs/job.ts'
import { type Books, openBooks, textOf } from '../sim/books.ts'

export type Ledgers = Books & ReturnType<typeof toQuestions>

/** Opens the database of a running service from another process; default: the jobs of chain 97. */
export const openLedgers = (file: string, chainId?: number): Ledgers => {
  const books = openBooks(file, chainId)
  return { ...books, ...toQuestions(books) }
}

const underWay = [
  `select count(*) as n from intent where state in ('waiting', 'sent')`,
  'select count(*) as n from run where wake_at is not null or held_until is not null',
  `select count(*) as n from run where state in ('working', 'awaiting-job') and id not in (select id from purchase)`,
  // A purchase whose seller did not deliver ends only when its authorization expires.
  `select count(*) as n from purchase p join paid_call c on c.nonce = p.nonce join job j on j.id = c.job_id
    where p.state = 'paying' and j.state in ('settling', 'settled')`,
  `select count(*) as n from job where feedback is null and outcome is not null and chain_job_id is not null`,
]

export const isOver = (state: string) => isJobState(state) && isFinal(state)

const toQuestions = ({ all }: Books) => {
  const openJobs = () => all('select id, state from job').flatMap(it => (isOver(textOf(it.state)) ? [] : [textOf(it.id)]))
  return {
    openJobs,
    /** Whether all of these jobs are final. */
    areOver: (jobs: string[]) => {
      const open = new Set(openJobs())
      return jobs.every(it => !open.has(it))
    },
    /** The latest end of a current lease in epoch ms; 0 when there is none. */
    lastLease: () => Number(all('select max(lease_until) as until from job')[0]?.until ?? 0),
    /** @throws Error that names a purchase of a seller that has not ended */
    checkBought(url: string): true {
      const [open] = all(`select id, status, reason, tries from purchase where state = 'paying' and url like ? || '%'`, url)
      if (open) throw new Error(JSON.stringify(open))
      return true
    },
    /** How many purchases by x402 were paid, how many of them in the scheme `upto`, and hires that gave an unused part back. */
    paid: () => {
      const [row] = all(`select count(*) as purchases,
        coalesce(sum(json_extract(requirement, '$.scheme') = 'upto'), 0) as by_use,
        (select count(distinct job_id) from posting where key like '%:unused') as hires from purchase where state = 'paid'`)
      return { purchases: Number(row?.purchases), byUse: Number(row?.by_use), hiresByUse: Number(row?.hires) }
    },
    isQuiet: () => openJobs().length === 0 && underWay.every(sql => all(sql)[0]?.n === 0),
  }
}
