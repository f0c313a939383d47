// Words that join a task to the one before, and carry nothing of it.

/** "Last week" joins nothing. */
const periods = '(?:week|month|year|night|time|spring|summer|autumn|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)'
const words = `[-*•&+]|and|then|also|plus|but|while|or|so|now|next(?! ${periods})|first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|fifth(?:ly)?|finally|last(?:ly)?(?! ${periods})|after(?:wards?| that| this)?|later|additionally|furthermore|moreover|besides|in addition|on top of that|as well as|as well|once (?:that|it|this|you|done)(?:(?:'s| is| are|'re) (?:done|finished|ready))?|when (?:that|it|this)(?:'s| is) (?:done|finished|ready)|with that done|to (?:finish|start|begin)|und|dann|danach|außerdem|zuerst|schließlich|et|puis|ensuite|enfin|aussi|y|luego|después|también|además|por último|e|poi|anche|depois|também`
const connector = new RegExp(String.raw`^\s*(?:(?:${words})(?![\p{L}\p{N}'’])[,:.]?\s*|\(?\d{1,2}[.):]\s+|[-*•&+]\s+)`, 'iu')

/** Splits the connectors from the start of a unit. `lead` has them in lower case, without marks. */
export const splitConnectors = (text: string): { lead: string; rest: string } => {
  let rest = text
  const lead: string[] = []
  for (let found = connector.exec(rest); found && found[0] !== ''; found = connector.exec(rest)) {
    const left = rest.slice(found[0].length)
    if (left.trim() === '') break
    lead.push(
      found[0]
        .replace(/[,:.\s]+$/, '')
        .trim()
        .toLowerCase()
        .replace(/^\d{1,2}$|^\d{1,2}[.):]$/, '#'),
    )
    rest = left
  }
  return { lead: lead.join(' '), rest: rest.trim() }
}

const onlyConnectors = new RegExp(String.raw`^\s*(?:(?:${words})[,:.]?\s*)+$`, 'iu')
/** Whether a text is nothing but connectors: "Finally". */
export const isConnector = (text: string): boolean => onlyConnectors.test(text)
