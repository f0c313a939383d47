import { assemble } from '../src/assemble.ts'

/** Routes, tools and tables of the whole service, with all features. */
export const { routes, tools, tables } = assemble()
