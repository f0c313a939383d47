import { assemble } from '../src/assemble.ts'

/** The lists of the whole service, with all features. */
export const { routes, tools, asking, tables, advances, parts } = assemble()
export const { otherJobs: jobs, tokens, selling, buying, followers } = parts
