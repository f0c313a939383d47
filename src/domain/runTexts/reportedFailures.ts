const proven = 'The agent could not do it: '
/**
 * Starts the reason of a failure that was reported without a credential of the agent. Anyone who knows the job may have sent
 * it.
 */
const unproven = 'A failure was reported for the agent: '

/**
 * The reason of a job for which a failure was reported, with the text of the report in quotes. `words` must be shortened and
 * cleaned.
 */
export const toReportedFailure = (words: string, isProven: boolean): string => `${isProven ? proven : unproven}"${words}".`

const undelivered = 'The agent did not deliver in the promised time.'

/** The reason of a job without a deliverable. It includes the failure that the agent reported last, if any. */
export const toUndelivered = (before: string): string =>
  [proven, unproven].some(it => before.startsWith(it)) ? `${undelivered} ${before}` : undelivered
