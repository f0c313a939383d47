const moment = /^(?:(?<wall>\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?<zone>Z|[+-]\d\d:\d\d)?)?$/

/** Whether a text is empty or names a date and time (RFC 3339, also without seconds or zone). */
export const isMoment = (text: string): boolean => moment.test(text)

/** Returns what a field for date and time shows: the clock of the place that the text names. */
export const toWall = (text: string): string => moment.exec(text)?.groups?.wall ?? ''

/** Returns a picked date and time as RFC 3339 text, in the zone that the earlier text named; without one, in UTC. */
export const fromWall = (wall: string, before: string): string =>
  wall === '' ? '' : `${wall.slice(0, 16)}:00${moment.exec(before)?.groups?.zone ?? 'Z'}`
