import { sha256 } from '../../../../src/domain/json.ts'
import { checkRated as checkAllGiven, checkFeedback as checkGiven } from '../../audit/feedback.ts'
import type { World } from '../world.ts'

const givenIn = ({ ground }: World) => [...ground.chain.state.feedback.values()]

/** I15 of the modelled registry, at every moment. */
export const checkFeedback = (world: World): string[] => checkGiven(world.books, givenIn(world), sha256)

/** I15, when idle. */
export const checkRated = (world: World): string[] => checkAllGiven(world.books, givenIn(world))
