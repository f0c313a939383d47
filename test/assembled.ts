import { assemble } from '../src/assemble.ts'

/** The lists of the whole service, with all features. */
export const { routes, tools, asking, tables, jobs, tokens, selling, buying, advances, followers } = assemble()
