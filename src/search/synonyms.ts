import { stem } from '../language/words/stem.ts'

/** Words that people and listings use interchangeably, one group a line: first verbs for records, then everyday words. */
const groups = `
  create add new insert register set make
  read get query check view show see retrieve fetch lookup search find
  update modify change edit adjust
  delete remove cancel clear drop
  buy purchase order shop
  price cost fee rate
  movie film
  picture image photo photograph
  car vehicle automobile
  house home property apartment
  job career employment vacancy
  doctor physician medical
  flight airline plane
  hotel accommodation lodging
  restaurant dining dinner meal food eat
  trip travel journey vacation itinerary
  summarize summary digest overview
  write compose draft
  translate translation language
  website site webpage url link
  music song
  video clip
  recommend suggest advise
  learn study course teach lesson
  document file pdf paper
  stock share invest
  weather forecast
  news headline article
  law legal lawyer
  fix repair
  gift present
  money currency cash
  book reserve
  send transfer
  message text
  phone mobile call
  company business firm
  code program software
  schedule appointment meeting calendar agenda
  exercise workout fitness
  gym sport
  chart graph diagram plot
  answer reply respond
  math mathematics arithmetic calculate calculator compute
  health medical disease illness symptom
  proofread grammar spelling correct
  rewrite rephrase paraphrase
  transcribe transcript subtitle caption
  quiz exam
  poem verse lyric
  loan mortgage credit
  train rail railway
  plant garden
  salary wage
  kid child
  rent lease
  crypto cryptocurrency coin token
  draw paint illustrate illustration
  game play`

const others = new Map<string, Set<string>>()
for (const line of groups.trim().split('\n')) {
  const words = line.trim().split(' ').map(stem)
  for (const word of words) others.set(word, new Set([...(others.get(word) ?? []), ...words.filter(it => it !== word)]))
}

/** Returns the stems of the synonyms of a stem. */
export const toSynonyms = (word: string): Iterable<string> => others.get(word) ?? []
