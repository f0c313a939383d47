import type { Filling } from '../fields/filling.ts'
import { readAddressParts } from '../values/addressParts.ts'
import { readBooleans } from '../values/booleans.ts'
import { readDates, readMoments, readTimes } from '../values/calendar.ts'
import { readChoices } from '../values/choices.ts'
import { readMarked, readNamed } from '../values/labels.ts'
import { readLists, readLiterals, readLong, readMarkedLists } from '../values/lists.ts'
import { readManners } from '../values/manners.ts'
import { readFenced, readMaterial } from '../values/material.ts'
import { readFullNames, readNames } from '../values/names.ts'
import { readAddresses, readPlaces } from '../values/places.ts'
import { readQuantities } from '../values/quantities.ts'
import { readQuotes } from '../values/quotes.ts'
import { readRegions } from '../values/regions.ts'
import { readTold } from '../values/told.ts'
import { readForms } from '../values/typed.ts'
import { readUnits } from '../values/units.ts'
import { type Limits, readWishes } from '../values/wishes.ts'

/**
 * Runs all readers, the most reliable first. Each marks its words as used, so later readers do not see them. Remaining words
 * are read by `readRest`.
 */
export const readTyped = (filling: Filling): Limits => {
  readFenced(filling)
  readLiterals(filling)
  readMarked(filling)
  readQuotes(filling)
  readMaterial(filling)
  filling.page.shorten()
  readAddressParts(filling)
  readForms(filling)
  readNamed(filling)
  readTold(filling)
  const limits = readWishes(filling)
  readMoments(filling)
  readDates(filling)
  readTimes(filling)
  readChoices(filling)
  readRegions(filling)
  readMarkedLists(filling)
  readAddresses(filling)
  readUnits(filling)
  readQuantities(filling)
  readBooleans(filling)
  readFullNames(filling)
  readPlaces(filling)
  readLists(filling)
  readNames(filling)
  readManners(filling)
  readLong(filling)
  return limits
}
