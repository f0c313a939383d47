import { readBooleans, readChoices } from './choices.ts'
import { readCodes } from './codes.ts'
import { readDates } from './dates.ts'
import type { Filling } from './filling.ts'
import { readMarked, readNamed } from './labels.ts'
import { readLists, readMarkedLists } from './lists.ts'
import { readManners } from './manners.ts'
import { readFenced, readMaterial } from './material.ts'
import { readNames, readVenue } from './names.ts'
import { readPlaces } from './places.ts'
import { readQuantities } from './quantities.ts'
import { readQuotes } from './quotes.ts'
import { readRegions } from './regions.ts'
import { readMoments, readTimes } from './times.ts'
import { readUnits } from './units.ts'
import { type Limits, readWishes } from './wishes.ts'

/**
 * Runs all readers, the most reliable first. Each marks its words as used, so later readers do not see them. Remaining words
 * are read by `readRest`.
 */
export const readTyped = (filling: Filling): Limits => {
  readFenced(filling)
  readMarked(filling)
  readQuotes(filling)
  readMaterial(filling)
  filling.page.shorten()
  readCodes(filling)
  readNamed(filling)
  const limits = readWishes(filling)
  readMoments(filling)
  readDates(filling)
  readTimes(filling)
  readChoices(filling)
  readRegions(filling)
  readMarkedLists(filling)
  readUnits(filling)
  readQuantities(filling)
  readBooleans(filling)
  readVenue(filling)
  readPlaces(filling)
  readLists(filling)
  readNames(filling)
  readManners(filling)
  return limits
}
