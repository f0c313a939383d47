import type { Tables } from '../../ports.ts'
import type { Scope } from './db.ts'

/** Makes a group of tables. Its functions have the types of the port, and `createTables` joins the groups to the whole port. */
export const tableGroup = <T extends Partial<Tables>, M extends unknown[]>(make: (scope: Scope, ...more: M) => T) => make
