/** Simulates a crash of a process: the first `left` calls succeed, and all later ones fail. */
export type Fuse = { left: number; burnt: Promise<void>; burn(): void }

export const newFuse = (): Fuse => {
  const { promise: burnt, resolve: burn } = Promise.withResolvers<void>()
  return { left: Number.POSITIVE_INFINITY, burnt, burn }
}

/** Methods that have no effect outside the process. */
const encoders = new Set([
  ...['close', 'submit', 'complete', 'completeUsed', 'reject', 'claimRefund', 'topUp', 'faucet', 'withdraw', 'giveFeedback'],
  ...['launch', 'payCreatorFees', 'purchaseNonce', 'transfer', 'approve', 'take'],
])
const nested = new Set<string | symbol>(['launchpad', 'authorized', 'permitted', 'upto'])

/** A port whose calls fail once the fuse has burnt. */
export const burning = <T extends object>(port: T, own: Fuse): T =>
  new Proxy(port, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      if (nested.has(name) && typeof member === 'object' && member) return burning(member, own)
      if (typeof member !== 'function' || encoders.has(String(name))) return member
      return (...given: unknown[]) => {
        own.left -= 1
        if (own.left >= 0) return Reflect.apply(member, target, given)
        own.burn()
        return Promise.reject(new Error('the process is dead'))
      }
    },
  })
