import { createListeners } from './listeners.ts'

export type BalanceChanges = ReturnType<typeof createBalanceChanges>

export const createBalanceChanges = () => {
  const { notify: tell, subscribe } = createListeners()
  let moves = 0
  return {
    moves: () => moves,
    notify: () => {
      moves += 1
      tell()
    },
    subscribe,
  }
}
