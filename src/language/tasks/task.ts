/** What a task takes from an earlier one: the task's index (0-based, in the same list), and the user's words for it. */
export type Take = { from: number; words: string }

/** One task of a message: its own words, complete enough to be searched and filled alone, and what it takes from earlier tasks. */
export type Task = { words: string; takes: readonly Take[] }
