import { type Acting, decide, type Plan, refuse, say, sayYes, type Talk } from './talks.ts'

type Shown = { digest: string; lapsesAt: number }
type Treat = (at: Acting, talk: Talk, shown: Shown) => Promise<void>

const yes = (at: Acting, talk: Talk, { digest }: Pick<Shown, 'digest'>) => decide(at, talk, { digest, decision: 'yes' })
const no = (at: Acting, talk: Talk, { digest }: Shown) => decide(at, talk, { digest, decision: 'no' })
const note = ({ world }: Acting, kind: number, what: string) => world.ground.faults.note(kind, what)

const twice: Treat = async (at, talk, shown) => {
  note(at, at.random.chance(0.5) ? 63 : 17, 'yes twice at once')
  await at.world.go(yes(at, talk, shown), yes(at, talk, shown), sayYes(at, talk))
}

const torn: Treat = async (at, talk, shown) => {
  note(at, 63, 'yes and no at once')
  await at.world.go(...at.random.shuffled([yes(at, talk, shown), no(at, talk, shown)]))
}

const late: Treat = async (at, talk, shown) => {
  const { world, random } = at
  const { time } = world.ground
  note(at, 63, 'yes too late')
  time.advance(Math.max(0, shown.lapsesAt - time.clock.now()) + 1_000 + random.int(60_000))
  await world.go(random.chance(0.5) ? sayYes(at, talk) : yes(at, talk, shown))
  talk.plan = random.pick(['hire', 'decline', 'silent'])
}

const robbed: Treat = async (at, talk, { digest }) => {
  const { world, random, others } = at
  note(at, 63, 'yes of another user')
  const asThief = { ...at, user: random.pick(others) }
  await world.go(decide(asThief, talk, { digest, decision: 'yes' }, it => refuse(world, 'confirmHire', it)))
  talk.plan = random.pick(['decline', 'silent'])
}

const stale: Treat = async (at, talk) => {
  note(at, 63, 'yes to other terms')
  await at.world.go(yes(at, talk, { digest: at.random.hex(8) }))
  talk.plan = at.random.pick(['decline', 'silent', 'hire'])
}

/** The user withdraws all USDC from the wallet, at once or a moment later. */
const poor: Treat = async (at, talk, shown) => {
  const { world, user, random } = at
  note(at, 76, 'USDC withdrawn')
  const withdraw = async () => {
    if (random.chance(0.5)) await new Promise(resolve => setImmediate(resolve))
    const { chain } = world.ground
    if (user.proxy) chain.withdraw(user.proxy, chain.state.usdc.get(user.proxy) ?? 0n)
  }
  await Promise.all([withdraw(), world.go(yes(at, talk, shown))])
}

/** Changes the terms while the old proposal may still be confirmed. The first of both counts; the other is refused. */
const change: Treat = async (at, talk, shown) => {
  const { world, random } = at
  const steps = talk.record?.plan?.steps.length
  await world.go(say(at, talk, { message: steps ? `skip ${1 + random.int(steps)}` : 'make it at most 3 USDC' }))
  if (random.chance(0.4)) {
    note(at, 63, 'yes to terms that were changed')
    await world.go(yes(at, talk, shown))
  }
  talk.plan = random.pick(['hire', 'by text', 'decline'])
}

/** The user's reaction to a proposal, by plan. */
export const treatments: Record<Plan, Treat> = {
  hire: (at, talk, shown) => at.world.go(yes(at, talk, shown)),
  'by text': (at, talk) => at.world.go(sayYes(at, talk)),
  decline: (at, talk, shown) => at.world.go(no(at, talk, shown)),
  async silent(_at, talk) {
    talk.isOver = true
  },
  twice,
  torn,
  late,
  robbed,
  stale,
  poor,
  change,
}
