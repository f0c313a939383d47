const proven = 'The agent could not do it: '
/** Without a credential of the agent: whoever knows the job may have sent it. */
const unproven = 'A failure was reported for the agent: '

/** The reason of a job for which a failure was reported; the words of the report stand in quotes. */
export const toReportedFailure = (words: string, isProven: boolean): string => `${isProven ? proven : unproven}"${words}".`

const undelivered = 'The agent did not deliver within its promise.'

/** The reason of a job that ends without a deliverable. What was reported last is part of it. @param before its reason so far */
export const toUndelivered = (before: string): string =>
  [proven, unproven].some(it => before.startsWith(it)) ? `${undelivered} ${before}` : undelivered
