const proven = 'The agent could not do it: '
/**
 * Starts the reason of a failure that was reported from another address than the job was taken from, without a credential of the
 * agent. Anyone who knows the job may have sent it.
 */
const unproven = 'A failure was reported for the agent: '

/**
 * The reason of a job for which a failure was reported, with the text of the report in quotes. `words` must be shortened and
 * cleaned.
 */
export const toReportedFailure = (words: string, isProven: boolean): string => `${isProven ? proven : unproven}"${words}".`

const late = 'The agent did not deliver in the promised time.'
const gaveUp = 'The agent took the job several times and did not deliver.'

/**
 * The reason of a job that ends without a deliverable: its time is over, or all deliveries are used up before. It includes the
 * failure that was reported last, if any.
 * @param before the reason of the job so far
 */
export const toUndelivered = (before: string, isLate: boolean): string => {
  const reported = [proven, unproven].some(it => before.startsWith(it)) ? before : undefined
  if (isLate) return reported ? `${late} ${reported}` : late
  return reported ?? gaveUp
}
