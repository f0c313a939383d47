/** Processes items one after the other, also when one fails. Rejects at the end with the first failure. */
export const inSequence = async <T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> => {
  const failures: unknown[] = []
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
