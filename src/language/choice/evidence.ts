import type { ListingView } from '../../ports.ts'
import { toProperties } from '../fields/requirement.ts'
import { fillRequest } from '../filling/fillRequest.ts'
import { withoutCodes } from '../forms/codedFields.ts'
import { toHead } from '../text/headOf.ts'
import { toPassages } from '../text/passages.ts'
import { withoutLimits } from '../values/wishes.ts'
import { respellText } from '../words/respellText.ts'
import { subjectsOfTerm, subjectWords, toSubjects } from '../words/subjects.ts'
import { typesSaid, typesTaken, type ValueType } from '../words/valueTypes.ts'
import { splitWords, toTerms } from '../words/words.ts'
import { toAccount, toOrdered, toSaidWords } from './account.ts'
import { cosine, toAsked, toShare, toVector, toWeigh, type Vector, type Weigh } from './vectors.ts'

/** Features of a candidate by name; the weights decide which of them count for or against it. */
export type Evidence = Record<string, number>

const schemaText = ({ requirement = {} }: ListingView) =>
  toProperties(requirement)
    .map(it => [it.name, it.description, ...it.allowed.filter(one => typeof one === 'string')].join(' '))
    .join('\n')

const textsOf = (it: ListingView) => ({
  ...{ name: it.name, about: it.description, schema: schemaText(it), examples: it.examples ?? [] },
  all: [it.name, it.description, schemaText(it), ...(it.examples ?? [])].join('\n'),
})
type Texts = ReturnType<typeof textsOf>

/**
 * Typical values of the second-best candidate in a large market. They replace missing competitors, so that a lead still has a
 * meaning among few candidates.
 */
const usualSecond = { score: 0.06, cover: 0.2, cosine: 0.05, example: 0.05 }

/** The highest value of the other candidates, but at least the usual value. */
const bestOther = (values: number[], at: number, usual: number) => Math.max(usual, ...values.filter((_, index) => index !== at))

type Request = {
  text: string
  said: ReturnType<typeof toSaidWords>
  isRare(term: string): boolean
  terms: string[]
  types: Set<ValueType>
}
type Passage = { asked: Vector; all: readonly string[]; terms: string[]; head: string[] }

/** A word is rare that at most one of so many candidates has. */
const rareShare = 4

/** What texts are compared by: the weight of each word, and the subjects of some terms. */
type Measures = { weigh: Weigh; subjectsOf(terms: readonly string[]): Map<string, number> }

/** The subjects of terms, where a term of the request that a listing has and no subject knows is a subject of its own. */
const toSubjectsOf = (asked: readonly string[], texts: readonly Texts[]): Measures['subjectsOf'] => {
  const listed = new Set(texts.flatMap(it => toTerms(it.all)))
  const unknown = new Set(asked.filter(it => listed.has(it) && subjectsOfTerm(it).size === 0))
  return terms => {
    const subjects = toSubjects(terms)
    for (const it of new Set(terms)) if (unknown.has(it)) subjects.set(`“${it}”`, 1)
    return subjects
  }
}

/** Compares the head words of the request with a listing's words and subjects. */
const headsInCommon = (head: string[], texts: Texts, { weigh, subjectsOf }: Measures) => {
  const has = (of: string) => {
    const terms = new Set(toTerms(of))
    return toShare(head, weigh, term => terms.has(term))
  }
  const subjects = subjectsOf(head)
  const heads = texts.examples.map(toHead)
  return {
    headName: has(texts.name),
    headAll: has(texts.all),
    headExample: Math.max(0, ...heads.map(it => toShare(head, weigh, term => it.includes(term)))),
    headSubject: cosine(subjects, subjectsOf(toTerms(`${texts.name}\n${texts.about}`))),
    headSubjectName: cosine(subjects, subjectsOf(toTerms(texts.name))),
    headKnown: head.length === 0 ? 0 : 1,
  }
}

/** Compares the subjects of a request with those of a listing. */
const subjectsInCommon = (request: Vector, texts: Texts, { subjectsOf }: Measures) => {
  const [all, name] = [subjectsOf(toTerms(texts.all)), subjectsOf(toTerms(texts.name))]
  const total = [...request.values()].reduce((a, b) => a + b, 0)
  const shared = [...request].reduce((sum, [it, much]) => sum + (all.has(it) ? much : 0), 0)
  return {
    subjectCosine: cosine(request, all),
    subjectName: cosine(request, name),
    subjectShared: total === 0 ? 0 : shared / total,
    subjectMissed: total - shared,
  }
}

/** Compares the words of a request with those of a listing. */
const wordsInCommon = ({ asked, terms, head, all }: Passage, texts: Texts, measures: Measures) => {
  const { weigh, subjectsOf } = measures
  const share = (of: string) => {
    const has = new Set(toTerms(of))
    return toShare(terms, weigh, term => has.has(term))
  }
  const said = new Set(terms)
  const own = new Set(toTerms(texts.all))
  const missed = terms.filter(term => !own.has(term))
  return {
    coverAll: share(texts.all),
    coverName: share(texts.name),
    coverAbout: share(texts.about),
    coverSchema: share(texts.schema),
    coverExamples: share(texts.examples.join('\n')),
    nameSaid: toShare([...new Set(toTerms(texts.name))], weigh, term => said.has(term)),
    cosineName: cosine(asked, toVector(texts.name, weigh)),
    cosineAbout: cosine(asked, toVector(texts.about, weigh)),
    cosineAll: cosine(asked, toVector(texts.all, weigh)),
    cosineExample: Math.max(0, ...texts.examples.map(it => cosine(asked, toVector(it, weigh)))),
    ...headsInCommon(head, texts, measures),
    ...subjectsInCommon(subjectsOf(all), texts, measures),
    hasExamples: texts.examples.length > 0 ? 1 : 0,
    missedMost: Math.max(0, ...missed.map(weigh)),
    matched: Math.log1p(terms.length - missed.length),
  }
}

type Common = ReturnType<typeof wordsInCommon>

const fitOf = (it: Common) => it.cosineAll + it.coverAll + it.subjectCosine

/** Compares a listing with each passage of the request and returns the result of the best match. */
const bestPassage = (passages: Passage[], texts: Texts, measures: Measures) => {
  const all = passages.map(it => wordsInCommon(it, texts, measures))
  return all.reduce((best, it) => (fitOf(it) > fitOf(best) ? it : best))
}

/** A fixed time (ms since 1970) for reading relative dates, because their distance does not affect the fit. */
const anyTime = 0

/** How completely the request fills the listing's inputs. */
const inputsGiven = (
  { text, said, isRare, terms }: Request,
  texts: Texts,
  { requirement = {}, name, description }: ListingView,
) => {
  const properties = toProperties(requirement)
  const listing = `${name}\n${description}`
  const { values, missing, typed, leftover, untyped } = fillRequest({ text, requirement, now: anyTime, listing })
  const required = properties.filter(it => it.required).length
  const filled = Object.keys(values).length
  const own = new Set(toTerms(texts.all))
  const unused = new Set(toTerms(leftover))
  const left = terms.filter(term => unused.has(term) && !own.has(term)).length
  return {
    filledShare: required === 0 ? 0.5 : 1 - missing.length / required,
    missing: missing.length,
    isComplete: missing.length === 0 ? 1 : 0,
    hasNoSchema: properties.length === 0 ? 1 : 0,
    required: Math.log1p(required),
    optionalFilled: Math.log1p(Math.max(0, filled - (required - missing.length))),
    typed: Math.log1p(typed),
    leftover: terms.length === 0 ? 0 : left / terms.length,
    leftoverCount: Math.log1p(left),
    ...toAccount({ ordered: toOrdered(text), ...said, untyped, own, isRare }),
  }
}

/** Value types with a feature of their own. The other types are too rare to be learned individually. */
const singledOut: ValueType[] = ['currencies', 'units', 'language', 'route', 'date', 'material']
const addressTypes: ValueType[] = ['audio', 'video', 'image', 'document', 'repository', 'page']

/** Compares the value types in the request with those in the listing's requirement. */
const typesInCommon = ({ types: said }: Request, { requirement = {} }: ListingView) => {
  const taken = typesTaken(requirement)
  const agree = (type: ValueType) => (said.has(type) ? (taken.has(type) ? 1 : -1) : 0)
  const hasAddress = (types: Set<ValueType>) => addressTypes.some(it => types.has(it))
  return {
    typesShared: [...said].filter(it => taken.has(it)).length,
    typesUntaken: [...said].filter(it => !taken.has(it)).length,
    typesUnsaid: [...taken].filter(it => !said.has(it)).length,
    addressMissing: hasAddress(taken) && !hasAddress(said) ? 1 : 0,
    addressUnwanted: hasAddress(said) && !hasAddress(taken) ? 1 : 0,
    ...Object.fromEntries(singledOut.map(type => [`type ${type}`, agree(type)])),
  }
}

/** A market with fewer candidates is small. Its text features get separate weights, because a high rank means little there. */
const few = 4

const inSmallMarket = (candidates: number, score: number, common: Common | undefined) => {
  const isSmall = candidates < few ? 1 : 0
  const { coverAll = 0, cosineAll = 0, nameSaid = 0 } = common ?? {}
  return {
    ...{ small: isSmall, smallScore: isSmall * Math.sqrt(score), smallCover: isSmall * coverAll },
    ...{ smallCosine: isSmall * cosineAll, smallName: isSmall * nameSaid },
  }
}

/**
 * Returns the features of each listing, in comparison with the other listings. Limits on price and time are not included
 * because they filter listings earlier.
 */
export const weighEvidence = (said: string, listings: ListingView[]): Evidence[] => {
  const texts = listings.map(textsOf)
  const task = respellText(withoutCodes(withoutLimits(said)), [
    ...new Set([...texts.flatMap(it => splitWords(it.all)), ...subjectWords]),
  ])
  const weigh = toWeigh(texts.map(it => it.all))
  const passages = toPassages(task).map(text => ({
    asked: toVector(text, weigh),
    all: toTerms(text),
    terms: toAsked(text),
    head: toHead(text),
  }))
  const isRare = (term: string) =>
    texts.filter(it => toTerms(it.all).includes(term)).length <= Math.max(1, texts.length / rareShare)
  const request = { text: said, said: toSaidWords(said), isRare, terms: toAsked(task), types: typesSaid(task) }
  const scores = listings.map(it => it.score ?? it.coverage)
  const measures = { weigh, subjectsOf: toSubjectsOf(toTerms(task), texts) }
  const common = texts.map(it => bestPassage(passages, it, measures))
  const of = (name: keyof (typeof common)[number]) => common.map(it => it[name])
  const [covers, examples, alls, subjects] = [of('coverAll'), of('cosineExample'), of('cosineAll'), of('subjectCosine')]
  return listings.map((listing, at): Evidence => {
    const score = scores[at] ?? 0
    const margin = (values: number[], usual: number) => (values[at] ?? 0) - bestOther(values, at, usual)
    return {
      ...{ score, scoreRoot: Math.sqrt(score), scoreMargin: margin(scores, usualSecond.score) },
      ...{ scoreLead: score / (score + bestOther(scores, at, usualSecond.score) || 1), rank: 1 / (1 + at) },
      ...{
        coverage: listing.coverage,
        coverMargin: margin(covers, usualSecond.cover),
        exampleMargin: margin(examples, usualSecond.example),
        allMargin: margin(alls, usualSecond.cosine),
        subjectMargin: margin(subjects, usualSecond.cosine),
      },
      ...inSmallMarket(listings.length, score, common[at]),
      ...common[at],
      ...inputsGiven(request, texts[at] ?? textsOf(listing), listing),
      ...typesInCommon(request, listing),
    }
  })
}
