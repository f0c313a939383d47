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
import { readItem, readOne, readRows } from '../values/rows.ts'
import { readTables } from '../values/tables.ts'
import { readTold } from '../values/told.ts'
import { readForms } from '../values/typed.ts'
import { readUnits } from '../values/units.ts'
import { type Limits, readWishes } from '../values/wishes.ts'

/** Reads the members of one item of a list. */
const readMembers = (filling: Filling): void => {
  for (const read of [
    readMarked,
    readForms,
    readDates,
    readTimes,
    readChoices,
    readRegions,
    readUnits,
    readQuantities,
    readOne,
    readBooleans,
    readAddresses,
    readPlaces,
    readItem,
    readNames,
    readItem,
  ])
    read(filling)
}

/**
 * Runs all readers, the most reliable first. Each marks its words as used, so later readers do not see them. Remaining words
 * are read by `readRest`.
 */
export const readTyped = (filling: Filling): Limits => {
  readFenced(filling)
  readLiterals(filling)
  readMarked(filling)
  readTables(filling, readMembers)
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
  readRows(filling, readMembers)
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
