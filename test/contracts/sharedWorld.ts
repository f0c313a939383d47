import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { startWorld, type World } from './world.ts'

/** Starts a world for the tests of a file. Each test begins with what `take` left on its chain. */
export const shareWorld = (take: (world: World) => unknown): void => {
  let world: World
  let snapshot: `0x${string}`
  beforeAll(async () => {
    world = await startWorld()
    await take(world)
  })
  afterAll(() => world.stop())
  beforeEach(async () => {
    snapshot = await world.chain.snapshot()
  })
  afterEach(() => world.chain.revert({ id: snapshot }))
}
