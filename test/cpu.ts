/** The CPU time of synchronous work in this thread, in ms. Unlike wall-clock time, it excludes other processes and threads. */
export const cpuMs = (work: () => unknown): number => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
