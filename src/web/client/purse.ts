export type Purse = ReturnType<typeof createPurse>

/** Notifies the components that show the user's balance when money has moved. */
export const createPurse = () => {
  const listeners = new Set<() => void>()
  let moves = 0
  return {
    moves: () => moves,
    tell: () => {
      moves += 1
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
