const lead = 'The agent could not do it: '

/** The reason of a job whose agent reported a failure, with the agent's text in quotes. `words` must be shortened and cleaned. */
export const toReportedFailure = (words: string): string => `${lead}"${words}".`

const undelivered = 'The agent did not deliver in the promised time.'

/** The reason of a job without a deliverable. It includes the failure that the agent reported last, if any. */
export const toUndelivered = (before: string): string => (before.startsWith(lead) ? `${undelivered} ${before}` : undelivered)
