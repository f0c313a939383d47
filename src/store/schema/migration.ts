/**
 * A migration. `statements` contain fragments. A released migration is never edited, because its checksum is stored.
 * `isAddition`: processes of the release before can go on with the changed schema. Any other migration waits until they ended.
 */
export type Migration = { version: number; statements: string[]; isAddition?: boolean }

/** The migration that added the column of `isAddition`. */
export const additionsFrom = 42
