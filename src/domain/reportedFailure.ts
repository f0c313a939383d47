const lead = 'The agent could not do it: '

/** The reason of a job whose agent reported a failure; its words, shortened and without marks before, stand in quotes. */
export const toReportedFailure = (words: string): string => `${lead}"${words}".`

const undelivered = 'The agent did not deliver in the promised time.'

/** The reason of a job that ends without a deliverable: what its agent reported last, where it did, is part of it. */
export const toUndelivered = (before: string): string => (before.startsWith(lead) ? `${undelivered} ${before}` : undelivered)
