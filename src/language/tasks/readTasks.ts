import { splitTasks } from '../text/severalTasks.ts'

/** What a task takes from an earlier one: the task's index, and the user's words for it ("the result", "that summary"). */
export type Take = { from: number; words: string }
/** One task of a message, in order: its own words (complete, so that it can be searched and filled alone), and what it takes. */
export type Task = { words: string; takes: readonly Take[] }

const references = /\b(?:it|the (?:result|answer|output|summary|translation|text)|that (?:result|text|summary|answer))\b/i

/** The tasks of a message in order; one entry for a single task. */
export const readTasks = (message: string): Task[] =>
  splitTasks(message).map((words, at) => {
    const [taken] = at === 0 ? [] : (references.exec(words) ?? [])
    return { words, takes: taken === undefined ? [] : [{ from: at - 1, words: taken }] }
  })
