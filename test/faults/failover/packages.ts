import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** The Debian package of each program. */
const packages = {
  '/usr/bin/patroni': 'patroni',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/lib/python3/dist-packages/etcd': 'python3-etcd',
}

/**
 * Installs what a failover needs from Debian, without starting a service of it.
 * @throws Error that says what to install, where this account may not
 */
export const installPackages = async (tell: (line: string) => void): Promise<void> => {
  const found = await Promise.all(Object.entries(packages).map(async ([path, name]) => ((await isThere(path)) ? [] : [name])))
  const missing = found.flat()
  if (missing.length === 0) return
  const line = `apt-get install --no-install-recommends ${missing.join(' ')}`
  if (process.getuid?.() !== 0 || !(await isThere('/usr/bin/apt-get')))
    throw new Error(`A failover needs programs that are not here. Run as root on Debian: ${line}`)
  tell(`installing from Debian: ${missing.join(', ')} …`)
  // RUNLEVEL=1 keeps Debian from starting the services of these packages.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env, maxBuffer: 2 ** 26 })
}
