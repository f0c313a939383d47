/** The answer, or `otherwise` when the work fails or takes longer than so many ms. */
export const inTime = async <T>(work: Promise<T>, otherwise: T, ms: number): Promise<T> => {
  const late = Promise.withResolvers<T>()
  const timer = setTimeout(() => late.resolve(otherwise), ms)
  try {
    return await Promise.race([work.catch(() => otherwise), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
