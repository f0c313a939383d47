import { stem } from './stem.ts'
import { splitWords } from './words.ts'

// What people say for yes or no without a word of the field: "in black and white" where colour is asked, "our dog comes along"
// where pets are. One row a meaning: words of fields, then what says yes and what says no.

const rows: [fields: string, yes: string, no: string][] = [
  ['colour color', 'colou?r(?:ed)?', 'black[ -]and[ -]white|b ?[&/] ?w|gr[ae]y ?scale|mono(?:chrome)?|in black'],
  ['pet animal', 'dogs?|cats?|pupp(?:y|ies)|kittens?|rabbits?|labradors?|retrievers?|terriers?|spaniels?|poodles?', ''],
  ['child kid', 'sons?|daughters?|bab(?:y|ies)|toddlers?|kids?|child(?:ren)?', 'adults only'],
  ['outdoor outside', 'out(?:doors?|side)|in the (?:garden|yard|open)', 'in(?:doors?|side)'],
  [
    'indoor inside',
    'in(?:doors?|side)|in (?:my|our|the|a) (?:(?:bed|living|bath|dining)[ -]?room|kitchen|office|hall(?:way)?|flat|house)',
    'out(?:doors?|side)',
  ],
  ['together', 'next to each other|side by side|adjacent', 'apart|separate(?:ly)?'],
  ['return', 'round[ -]?trip|there and back|both ways|return', 'one[ -]way|single ticket'],
  [
    'deliver delivery shipping',
    'deliver(?:y|ed)?|ship(?:ped)?|bring it',
    'pick(?:ed|ing)? (?:it|them|this) up|pick[ -]?up|collect(?:ed|ing)?',
  ],
  ['pickup collection collect', 'pick(?:ed|ing)? (?:it|them|this) up|pick[ -]?up|collect(?:ed|ing)?', 'deliver(?:y|ed)?'],
  [
    'urgent express rush priority fast',
    'asap|a\\.s\\.a\\.p|urgent(?:ly)?|express|rush|in a hurry|as (?:soon|fast|quickly) as possible',
    'no (?:rush|hurry)|not urgent|take your time|whenever',
  ],
  ['vegetarian', "vegetarians?|(?:no|without|none .{0,20}|(?:don[’']?t|not) eat) meat|meat[ -]?free", ''],
  ['vegan', 'vegans?|(?:no|without) animal products|plant[ -]based', ''],
  ['medication medicine medical', 'pills?|tablets?|medicines?|medications?|insulin|eye drops|injections?', ''],
  ['alcohol', 'wine|beer|cocktails?|spirits', 'alcohol[ -]free|non[ -]alcoholic|sober'],
  ['gift present', "gift|(?:as|is|for) a (?:gift|present)|for (?:his|her|their|my \\p{L}+[’']s) birthday", ''],
  ['electric', 'electric|e-?(?:bikes?|scooters?|cars?|mtbs?)', ''],
  ['anonymous', 'anonymous(?:ly)?|without (?:my|our|a|any) names?|no names?', ''],
]

type Opposites = { yes: RegExp; no: RegExp | undefined }
const toPattern = (words: string) => new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{N}])`, 'iu')
const byStem = new Map(
  rows.flatMap(([fields, yes, no]) => {
    const opposites: Opposites = { yes: toPattern(yes), no: no === '' ? undefined : toPattern(no) }
    return fields.split(' ').map(it => [stem(it), opposites] as const)
  }),
)

/** What says yes and no of a field; undefined where its name has no word with such opposites. */
export const oppositesOf = (name: string): Opposites | undefined => splitWords(name).flatMap(it => byStem.get(stem(it)) ?? [])[0]
