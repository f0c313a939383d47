import { toOwnWords } from '../text/ownWords.ts'

const secret = '(?:system prompts?|hidden (?:instructions|prompts?)|(?:private|secret|master) keys?|seed phrases?)'
const asking = new RegExp(
  [
    String.raw`\b(?:print|show|give|tell|send|reveal|dump|leak|export|read out|repeat|what(?:'s| is| are))\b`,
    String.raw`(?: [\w']+){0,8}? (?:my|your|the|their|his|her|all|of|every\w*) ?(?:[\w']+ ){0,3}?${secret}`,
  ].join(''),
  'i',
)

/** Whether a request asks for a key of a wallet, or for the butler's own instructions. It is refused, and nobody is accused. */
export const asksForSecrets = (message: string): boolean =>
  asking.test(toOwnWords(message).text.slice(0, 600).replaceAll('’', "'"))
