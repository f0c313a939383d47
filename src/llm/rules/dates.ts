const monthNames = 'January|February|March|April|May|June|July|August|September|October|November|December'.split('|')
const months = monthNames.map(it => (it.length > 4 ? `${it.slice(0, 3)}(?:${it.slice(3)}|\\b\\.?)` : it)).join('|')
const weekdays = 'Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday'
const ordinal = String.raw`\d{1,2}(?:st|nd|rd|th)`
const day = String.raw`\d{1,2}(?:st|nd|rd|th)?`

const isoDate = /\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?(?![\d-])/g
const spokenDate = new RegExp(
  [
    String.raw`\b(?:${months}) ${day}(?!\d)(?:,? \d{4}\b)?`,
    String.raw`\b${day}(?: of)? (?:${months})\b(?:,? \d{4}\b)?`,
    String.raw`\b${ordinal} of (?:this|next) month\b`,
    String.raw`\bday after tomorrow\b`,
    String.raw`\b(?:(?:next|this|coming) )?(?:${weekdays})(?: (?:this|next) week)?\b`,
    String.raw`\b(?:next|this) (?:week|month|weekend)\b`,
    String.raw`\b(?:later )?today\b|\btomorrow\b|\btonight\b`,
    String.raw`\bthe ${ordinal}\b|(?<=\b(?:on|for) )${ordinal}\b`,
    String.raw`\b\d{1,2}\/\d{1,2}\/\d{4}\b`,
  ].join('|'),
  'gi',
)
const spokenTime =
  /\b(?:half past|quarter (?:past|to)) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: (?:o'clock ?)?(?:in the (?:morning|afternoon|evening)|[ap]\.?m\b\.?))?|\b(?:(?:morning|afternoon|evening) )\d{1,2}(?::\d{2})?\b|\b\d{1,2}(?::\d{2})? ?(?:[ap]\.?m\b\.?|o'clock(?: in the (?:morning|afternoon|evening))?|in the (?:morning|afternoon|evening))|\b(?:[01]?\d|2[0-3]):[0-5]\d\b|\b(?:noon|midnight)\b/gi

/** The message without dates and times, whose figures count nothing. */
export const withoutDates = (message: string): string =>
  message.replace(isoDate, ' ; ').replace(spokenDate, ' ; ').replace(spokenTime, ' ; ')
