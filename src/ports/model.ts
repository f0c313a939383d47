import type { Finding } from '../domain/acceptance.ts'
import type { Reading, Situation } from '../domain/acts.ts'
import type { AgentId } from '../domain/agentId.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Listing } from '../domain/offering.ts'

/** A found listing. `coverage` is the share (0–1) of the query's meaningful words that the listing contains. */
export type Found = {
  agentId: AgentId
  offeringId: string
  /** Share (0–1) of the best conceivable match, comparable between requests. */
  score: number
  coverage: number
  /** Where the score comes from, when it was asked for: parts of it. No word that was learned stands here. */
  explanation?: {
    terms: { term: string; name: number; about: number; schema: number; examples: number }[]
    ngrams: number
    learned: number
  }
}

/** A listing with the terms of settled requests for it, and what its agent says of itself. */
export type Indexed = Listing & { learned?: string[]; agentText?: string | undefined }

export type Search = {
  /** Makes listings findable; the newest version of each wins. */
  put(listings: Indexed[]): Promise<void>
  /** Removes what the agent has in the index, except these. */
  remove(agentId: AgentId, except?: Listing[]): Promise<void>
  search(query: { text: string; chainId?: number; maxPrice?: string; limit: number; explain?: boolean }): Promise<Found[]>
  /** Number of rows, to notice an index that lost some. */
  count(): Promise<number>
  close(): Promise<void>
}

/** Texts as directions of their meaning, by a provider. Rejects when it fails or takes too long. */
export type Embeddings = {
  /** `<provider>:<model>`; vectors of different ones are not compared. */
  id: string
  embed(text: string): Promise<number[]>
  /** One vector a text, in order. */
  embedAll(texts: string[]): Promise<number[][]>
}

export type Understanding = {
  intent: 'task' | 'smalltalk' | 'help'
  /** The task in one sentence, for search. */
  task: string
  /** The most the user wants to pay in USDC, decimal text; only when the user said so. */
  maxPrice: string | undefined
  /** Handle or id of an agent the user named. */
  agent: string | undefined
  /** By when, in the user's own words: code reads them. */
  deadline: string | undefined
  /** The same in minutes, where the words say so; absent otherwise. */
  withinMinutes?: number | undefined
  /** The chain the user named, served or not. */
  chainId: number | undefined
  category: string | undefined
}

/** A listing as a model may see it: short quoted texts, no ids, no money to set. */
export type ListingView = {
  name: string
  description: string
  price: string
  slaMinutes: number
  coverage: number
  /** Share (0–1) of the best conceivable match, as the search found it. */
  score?: number | undefined
  /** False when its agent was never seen alive. */
  hasConnected?: boolean | undefined
  examples?: string[] | undefined
  requirement?: JsonObject | undefined
}

/** Tokens of one answer of a provider. */
export type Usage = { inputTokens: number; outputTokens: number }
/** Hears what each answer of a provider cost, also of one that could not be read. */
export type Spend = (usage: Usage) => void

/** What a message was read as. `canBeYes`: code finds in it a yes and nothing else, whatever it was read as. */
export type TurnReading = Reading & { canBeYes: boolean }

/**
 * Whether a listing is proposed, several are shown to pick from, or none fits: by their indices, best first. `sure` is the
 * probability that the first does what is asked.
 */
export type Choosing = { decision: 'propose' | 'choices' | 'none'; picks: number[]; reason: string; sure: number }

export type FillOf = {
  said: string[]
  /** What the user says now, where the rest is known: an answer to what was asked, or a change. */
  text?: string
  /** Values that were given before. */
  known?: JsonObject
  /** The fields that are asked for, and how often they were. */
  asked?: { fields: string[]; times: number }
  requirement: JsonObject
  /** Name and description of the offering: its own words are no content of a request for it. */
  listing?: string
  /** Ms since 1970, from which days are counted; the present when left out. */
  now?: number
}

/** The language model behind typed functions; the rules are its twin without a key. Throws Problem model-unavailable. */
export type Model = {
  /** `rules` or `<provider>:<model>`; shown in answers. */
  id: string
  understand(said: string[], spend?: Spend): Promise<Understanding>
  /** What a message is, in its situation; `proposed` are the words of the open proposal. */
  read(of: { text: string; situation: Situation; proposed: string }, spend?: Spend): Promise<TurnReading>
  /** Points at listings by their indices. */
  choose(of: { task: string; listings: ListingView[] }, spend?: Spend): Promise<Choosing>
  /** The requirement's input as far as the user's words give it. Never invents a value. */
  fill(of: FillOf, spend?: Spend): Promise<JsonObject>
  /** What the user said about how the result has to be, word for word; none where no model can tell. */
  wishes(said: string[], spend?: Spend): Promise<string[]>
  /** One finding for each wish, in their order. It has no tools, and its answer moves no money by itself. */
  judge(
    of: { task: string; wishes: string[]; deliverable: string },
    spend?: Spend,
  ): Promise<Pick<Finding, 'outcome' | 'evidence'>[]>
}
