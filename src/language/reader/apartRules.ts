import { fieldsOf } from '../../domain/schemas/schema.ts'
import type { FillOf, ListingView, Model } from '../../ports.ts'
import { createRules } from './rules.ts'
import { createThread, NotInTime, type ThreadOptions } from './thread.ts'

/**
 * The most work that is done in the thread of the requests: inputs of listings times characters of the user, about 10 ms. Texts of
 * strangers meet here, and their sizes multiply.
 */
const maxWork = 25_000
/** More work than this waits until the other thread has started. Less is done here meanwhile. */
const maxWorkMeanwhile = 4 * maxWork
/** A longer text is always read in the other thread: some patterns take the square of its length. */
const maxChars = 1_500
/** An input costs as much as this many characters even if the text is empty, and a listing as this many inputs. */
const charsOfInput = 500
const inputsOfListing = 2
/** So much of a text is read here when reading all of it takes too long. */
const shortChars = 500

const charsOf = (texts: readonly string[]): number => texts.reduce((sum, it) => sum + it.length, 0)

type Size = { chars: number; inputs: number }

/**
 * The rules, which do large work in another thread and with a time limit. So no text of a user and no schema of a listing keeps
 * the event loop from other requests. Without an answer in time, inputs are left to be asked for, and listings are compared without
 * theirs.
 * @param options.dir directory for the weights of the act classifier
 * @param options.maxMs how long one answer may take, in ms
 */
export const createApartRules = (options: ThreadOptions = {}): Model => {
  const rules = createRules(options)
  const thread = createThread(options)
  const isApart = ({ chars, inputs }: Size): boolean => {
    const work = inputs * (chars + charsOfInput)
    if (chars <= maxChars && work <= maxWork) return false
    return thread.isReady() || chars > maxChars || work > maxWorkMeanwhile
  }
  return {
    ...rules,
    understand: (said, now) =>
      said.length > maxChars
        ? thread.ask('understand', said, now).catch(orElse(() => rules.understand(said.slice(0, shortChars), now)))
        : rules.understand(said, now),
    choose: of =>
      isApart(sizeOfChoice(of)) ? thread.ask('choose', of).catch(orElse(() => rules.choose(shortened(of)))) : rules.choose(of),
    fill: of => (isApart(sizeOfFilling(of)) ? thread.ask('fill', of).catch(orElse(async () => ({}))) : rules.fill(of)),
  }
}

const inputsOf = (requirement: ListingView['requirement']): number =>
  inputsOfListing + (requirement ? fieldsOf(requirement).length : 0)

const sizeOfFilling = ({ said, text = '', requirement }: FillOf): Size => ({
  chars: charsOf([...said, text]),
  inputs: inputsOf(requirement),
})

type Choice = { task: string; listings: ListingView[] }

const sizeOfChoice = ({ task, listings }: Choice): Size => ({
  chars: task.length,
  inputs: listings.reduce((sum, it) => sum + inputsOf(it.requirement), 0),
})

const shortened = ({ task, listings }: Choice): Choice => ({
  task: task.slice(0, shortChars),
  listings: listings.map(({ requirement: _requirement, ...it }) => it),
})

/** Answers in place of a thread that did not answer in time. */
const orElse =
  <T>(instead: () => Promise<T>) =>
  (error: unknown): Promise<T> => {
    if (error instanceof NotInTime) return instead()
    throw error
  }
