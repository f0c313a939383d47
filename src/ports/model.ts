import type { AgentId } from '../domain/agents/agentId.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Listing } from '../domain/offerings/offering.ts'
import type { Reading, Situation } from '../domain/runs/acts.ts'
import type { Exchange } from '../domain/runs/history.ts'

/** A search result. `coverage` is the share (0–1) of the query's meaningful words that the listing contains. */
export type Found = {
  agentId: AgentId
  offeringId: string
  /** Share (0–1) of the best possible match, comparable between requests. */
  score: number
  coverage: number
  /** The parts of the score, if requested. It contains no learned words. */
  explanation?: {
    terms: { term: string; name: number; about: number; schema: number; examples: number }[]
    ngrams: number
    learned: number
  }
}

/** A listing with the terms of settled requests for it, and its agent's own text. */
export type Indexed = Listing & { learned?: string[]; agentText?: string | undefined }

export type Search = {
  /** Adds listings to the index. The newest version of each wins. */
  put(listings: Indexed[]): Promise<void>
  /** Removes an agent's listings from the index, except the given ones. */
  remove(agentId: AgentId, except?: Listing[]): Promise<void>
  search(query: { text: string; chainId?: number; maxPrice?: string; limit: number; explain?: boolean }): Promise<Found[]>
  /** Number of listings in the index, to detect missing ones. */
  count(): Promise<number>
  /** The position up to which the log of index changes was read; undefined for a new index. It is stored with the index. */
  mark(): Promise<number | undefined>
  setMark(mark: number): Promise<void>
  close(): Promise<void>
}

/** Text embeddings by a provider. Rejects when it fails or takes too long. */
export type Embeddings = {
  /** `<provider>:<model>`. Vectors of different models cannot be compared. */
  id: string
  embed(text: string): Promise<number[]>
  /** One vector per text, in order. */
  embedAll(texts: string[]): Promise<number[][]>
}

export type Understanding = {
  intent: 'task' | 'help'
  /** The task in one sentence, for search. */
  task: string
  /** The highest price in decimal USDC, only when the user stated one. */
  maxPrice: string | undefined
  /** Handle or id of an agent that the user named. */
  agent: string | undefined
  /** The deadline in minutes from now. */
  withinMinutes?: number | undefined
  /** The chain that the user named, served or not. */
  chainId: number | undefined
  category: string | undefined
}

/** A listing as a model sees it: short quoted texts, no ids, no money to set. */
export type ListingView = {
  name: string
  description: string
  price: string
  slaMinutes: number
  coverage: number
  /** False when its agent was never seen by the gateway. */
  score?: number | undefined
  /** False if the agent was never online. */
  hasConnected?: boolean | undefined
  examples?: string[] | undefined
  requirement?: JsonObject | undefined
  /** Whether the listing exceeds the user's limits. It is then only used for comparison and never picked. */
  isBeyond?: boolean | undefined
}

/** Tokens used by one response of a provider. `cachedTokens` are those of the input that it had read before. */
export type Usage = { inputTokens: number; outputTokens: number; cachedTokens?: number | undefined }
/** Receives the token usage of each provider response, even of one that could not be parsed. */
export type Spend = (usage: Usage) => void

/**
 * How a model is asked: who learns the tokens of its answers, that it failed, and what was sent and answered; and the most ms
 * that the answer may take.
 */
export type Asking = {
  spend?: Spend | undefined
  fail?: (() => void) | undefined
  show?: ((exchange: Exchange) => void) | undefined
  timeoutMs?: number | undefined
  /** Learns the words of a streamed answer as they come: all words so far. `isEnd`: no more words follow. */
  hear?: ((words: string, isEnd: boolean) => void) | undefined
}

/** What a language model reads in a message beside its act. Code has checked each member against the message or the form. */
export type Slots = {
  /** ISO 639 code of the language of the message. */
  language: string
  /** The tasks of the message, each in the words of the message. */
  tasks: string[]
  /** The first task with its limits. */
  wish: Understanding
  /** Index of the offering that the user picks from those shown. */
  choice?: number | undefined
}

/** The classification of a message. `by` is the id of the model that read it. */
export type TurnReading = Reading & {
  by: string
  /** The message is a yes, a no or a cancel by its form (domain/consent). Only such a yes agrees to anything. */
  isPlain?: boolean | undefined
  /** Only a language model reads an act that moves money or ends something; the reader without a model does not. */
  isUnheld?: boolean | undefined
  slots?: Slots | undefined
}

/**
 * The choice among listings: propose one, show several to the user, or none. `picks` are indices, best first. `sure` is the
 * probability that the first one fits the task; `near` are the indices of all that may fit it.
 */
export type Choosing = {
  decision: 'propose' | 'choices' | 'none'
  picks: number[]
  reason: string
  sure: number
  near?: number[]
}

export type FillOf = {
  said: string[]
  /** The user's newest message when other values are known already: an answer to a question, or a change. */
  text?: string
  /** Values from earlier messages. */
  known?: JsonObject
  asked?: { fields: string[] }
  requirement: JsonObject
  /** Name and description of the offering, whose words are not content of the request. */
  listing?: string
  /** Epoch ms from which relative dates are computed; default: now. */
  now?: number
}

/** A proposal to compare with what its user said. `values` is the input, and `listing` the words of the offering. */
export type LeftOutOf = { said: string[]; values: JsonObject; requirement: JsonObject; listing: string; now: number }

/** Reads, chooses and fills by rules, without a language model. */
export type Model = {
  /** `rules`; shown in answers. */
  id: string
  /** Reads the task of a message, its limits and the agent that it names. `now`: the user's wall clock, from which days count. */
  understand(said: string, now?: number): Promise<Understanding>
  /** Classifies a message in its situation. */
  read(of: { text: string; situation: Situation }): Promise<TurnReading>
  /** Picks listings by their indices. `takesFile`: the request has a file, and each listing takes it. */
  choose(of: { task: string; listings: ListingView[]; takesFile?: boolean }): Promise<Choosing>
  /** Fills the requirement's input with values from the user's words. Never invents a value. */
  fill(of: FillOf): Promise<JsonObject>
  /** Phrases of the user's messages that no value of the input took, in the user's words. */
  leftOut(of: LeftOutOf): Promise<string[]>
}
