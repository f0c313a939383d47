import { toOwnWords } from '../text/ownWords.ts'

// Words of somebody who may be in danger. They are no task, no value and no waste: they are answered, and never named as left
// out.

const wish = `(?:i (?:just |really |only )?(?:want|wish|would like|need|am going|have decided) to|i['’]?m going to|i wanna)`
const end = `(?:die|be dead|kill myself|end (?:my life|it all)|take my (?:own )?life|hurt myself|harm myself|not (?:be alive|live)|disappear forever)`
const way = `(?:what(?:['’]?s| is) )?(?:the )?(?:best|easiest|quickest|fastest|(?:most|least) painful|painless) ways? (?:for me )?to`
const own = '(?:kill myself|end my (?:own )?life|take my (?:own )?life|commit suicide)'
const tired = `i (?:do not|don['’]?t) want to (?:live|be alive|be here|go on)(?: any ?more| any longer)?|i (?:cannot|can['’]?t) go on(?: living| any ?more)?|i(?: am|['’]?m) (?:suicidal|better off dead)|i have (?:no reason|nothing) to live for|i wish i (?:was|were) dead|(?:no ?body|no one) would miss me`
const distress = new RegExp(
  String.raw`(?:^|(?<=[.,;:!?…\n]\s{0,3})|(?<=\b(?:and|but|because|so) ))(?:${wish} ${end}|${tired}|${way} ${own}(?: painlessly| quickly| peacefully)?)(?= *(?:$|[.,;:!?…\n]|and\b|but\b|so\b|now\b|today\b))(?: (?:now|today))?(?:\s*[.,;:!?…]+| (?:and|but|so)\b)?`,
  'iu',
)

/**
 * The message without the words of somebody who may be in danger; undefined where it has none. What is quoted belongs to a task.
 */
export const withoutDistress = (message: string): string | undefined => {
  const { text, restore } = toOwnWords(message)
  return distress.test(text) ? restore(text.replace(distress, ' ')).trim() : undefined
}

/** What is said to such words. */
export const careText =
  'I am a program and cannot help with this, but people can. If you are in danger, call your local emergency number now. ' +
  'findahelpline.com lists people who listen, free of charge, in most countries.'
