const chose = String.raw`(?:settled on|decided (?:on|for)|chose|picked|went (?:for|with))(?!\p{L})`
const takenBack = new RegExp(
  [
    String.raw`(?:\.{2,3}|…|[,;—-])\s*(?:no,? (?:just|only|wait|hang on)|wait,? no|scratch that|forget that)(?!\p{L})`,
    String.raw`[.?!]\s+(?:no,? (?:wait|hang on)|wait,? no|scratch that|forget that)\s*[,.—-]`,
    String.raw`(?<!\p{L})but (?:then )?(?:i|we) (?:finally )?${chose}`,
    String.raw`(?<!\p{L})(?:i|we) (?:first|originally|thought|wanted)(?!\p{L})[^.!?\n]{0,200}(?<!\p{L})(?:but|then|finally|now)(?: \p{L}+){0,2} ${chose}`,
  ].join('|'),
  'iu',
)

/** Whether a text takes back the words before some others: what is left is one task with one value. */
export const takesBack = (text: string): boolean => takenBack.test(text)
