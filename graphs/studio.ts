import { createRules } from '../src/language/reader/rules.ts'
import { butler } from './butler/graph.ts'
import { openScriptedMarket } from './studio/market.ts'

/**
 * The butler for LangGraph Studio, with a scripted market and the rules as its model (docs/studio.md). It has no checkpointer,
 * because LangGraph Studio adds its own.
 */
export const graph = butler(openScriptedMarket(createRules()))
