/** The CPU time of synchronous work in this process, in ms. Unlike wall-clock time, it excludes other processes. */
export const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
