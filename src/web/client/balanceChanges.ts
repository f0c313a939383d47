export type BalanceChanges = ReturnType<typeof createBalanceChanges>

export const createBalanceChanges = () => {
  const listeners = new Set<() => void>()
  let moves = 0
  return {
    moves: () => moves,
    notify: () => {
      moves += 1
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
