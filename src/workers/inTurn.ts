/** Does one after the other; one that fails does not keep the others from being done. Rejects with the first failure, at the end. */
export const inTurn = async <T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> => {
  const failures: unknown[] = []
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
