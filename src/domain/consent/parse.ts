import type { OwnWords } from './offer.ts'
import type { Grammar } from './phrases.ts'
import type { Unit } from './rules.ts'

const phraseAtoms = 14
/** A message that can be read in more ways is no plain answer. */
const maxReadings = 200

type Step = { unit: Unit; length: number }

/** The phrases and the offer's own words that begin at a place, each with its length in units. */
export const stepsAt = (
  { rolesByPhrase }: Grammar,
  atoms: readonly string[],
  { at, own }: { at: number; own?: OwnWords | undefined },
): Step[] => {
  const steps: Step[] = []
  for (let length = 1; length <= Math.min(phraseAtoms, atoms.length - at); length += 1) {
    const key = atoms.slice(at, at + length).join(' ')
    for (const role of rolesByPhrase.get(key) ?? []) steps.push({ unit: { role, key }, length })
  }
  const named = own
    ? ([
        ['name', own.nameAt],
        ['part', own.partAt],
        ['total', own.totalAt],
        ['digest', own.digestAt],
      ] as const)
    : []
  for (const [role, lengthAt] of named) {
    const length = lengthAt(atoms, at)
    if (length > 0) steps.push({ unit: { role, key: role }, length })
  }
  return steps
}

/** Every way to read a whole message as known phrases. Places from which the end cannot be reached are never entered. */
export const readingsOf = (grammar: Grammar, atoms: readonly string[], own?: OwnWords): Unit[][] => {
  const readings: Unit[][][] = Array.from({ length: atoms.length + 1 }, () => [])
  readings[atoms.length] = [[]]
  for (let at = atoms.length - 1; at >= 0; at -= 1)
    readings[at] = stepsAt(grammar, atoms, { at, own })
      .flatMap(({ unit, length }) => (readings[at + length] ?? []).map(rest => [unit, ...rest]))
      .slice(0, maxReadings)
  return readings[0] ?? []
}
