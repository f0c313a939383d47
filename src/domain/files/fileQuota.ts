import { limits } from '../limits.ts'
import { Problem } from '../problem.ts'

/** A kept file of one owner. `isUsed`: a job refers to it. */
export type KeptFile = { id: string; bytes: number; isUsed: boolean }

/**
 * The files that make room for a new one: those that no job refers to, oldest first.
 * @param kept all files of the owner, oldest first
 * @returns undefined when there is no room
 */
export const makeRoom = (kept: readonly KeptFile[], bytes: number): string[] | undefined => {
  let count = kept.length + 1
  let sum = kept.reduce((all, it) => all + it.bytes, bytes)
  const given: string[] = []
  const isFull = () => count > limits.filesOfUser || sum > limits.fileBytesOfUser
  for (const it of kept.filter(each => !each.isUsed)) {
    if (!isFull()) break
    given.push(it.id)
    count -= 1
    sum -= it.bytes
  }
  return isFull() ? undefined : given
}

const mib = 1_024 * 1_024
export const tooLarge = (mostBytes: number): Problem =>
  new Problem('body-too-large', `A file has at most ${Math.floor((mostBytes / mib) * 10) / 10} MiB (${mostBytes} bytes) here.`)
