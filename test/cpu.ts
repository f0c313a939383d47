/** CPU time that synchronous work took in this process, in ms: unlike the clock on the wall it does not count the neighbours. */
export const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
