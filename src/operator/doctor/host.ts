import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { createServer, isIP } from 'node:net'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { type Finding, ok, warning, wrong } from '../../domain/offerings/diagnosis.ts'

const mib = 1024 * 1024
/** Below this much free space in MiB the service soon refuses to write; below the second it should be watched. */
const minFreeMib = 256
const fewFreeMib = 2_048
const timeoutMs = 2_000

const isLoopback = (host: string) => /^(127\.|localhost$|\[?::1\]?$)/.test(host)

/** Checks under which addresses clients reach the service, and whose headers it believes. */
export const checkAddresses = ({ publicUrl, host, trustedProxy, chains }: Config): Finding[] => {
  const findings: Finding[] = []
  const isReached = chains.length > 0 || !isLoopback(host)
  const url = publicUrl === undefined ? undefined : new URL(publicUrl)
  if (isReached && (!url || isLoopback(url.hostname)))
    findings.push(
      wrong(
        'public address',
        `PUBLIC_URL is ${publicUrl ?? 'not set'}: tokens and registration files would name an address that clients cannot reach.`,
        'Set PUBLIC_URL to the https address of the service.',
      ),
    )
  else if (url?.protocol === 'http:' && !isLoopback(url.hostname))
    findings.push(
      wrong(
        'public address',
        `${publicUrl} sends tokens without encryption; passkeys and programs that sign in (OAuth) need https.`,
        'Put a proxy with TLS in front, and use https.',
      ),
    )
  else if (url && !isLoopback(url.hostname) && isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0)
    findings.push(
      warning('public address', `${publicUrl} is a number: nobody can sign in with a passkey.`, 'Use a name in PUBLIC_URL.'),
    )
  else findings.push(ok('public address', publicUrl ?? 'Clients on this machine only.'))
  findings.push(checkProxy(trustedProxy, url?.protocol === 'https:'))
  return findings
}

const checkProxy = (trusted: Config['trustedProxy'], isBehindProxy: boolean): Finding => {
  const everyone = trusted?.addresses.find(it => /\/0$/.test(it))
  if (everyone)
    return wrong(
      'proxy',
      `TRUSTED_PROXY trusts ${everyone}: every client can name any address, so limits per address do not hold.`,
      'Name the addresses of your proxies only.',
    )
  if (!trusted && isBehindProxy)
    return warning(
      'proxy',
      'PUBLIC_URL has https, so a proxy is in front, and TRUSTED_PROXY is not set: ' +
        'limits per address do not apply to its clients.',
      'Set TRUSTED_PROXY, such as X-Forwarded-For 127.0.0.1.',
    )
  return ok('proxy', trusted ? `${trusted.header} of ${trusted.addresses.join(', ')} is believed.` : 'No proxy is trusted.')
}

/** Checks that the port is free, or that a service answers there. */
export const checkPort = async ({ host, port }: Pick<Config, 'host' | 'port'>): Promise<Finding> => {
  const refused = await refusalOf(host, port)
  if (refused === undefined) return ok('port', 'The port is free.')
  if (refused === 'EADDRNOTAVAIL' || refused === 'ENOTFOUND')
    return wrong('port', `${host} is no address of this machine.`, 'Set HOST to an address of this machine, or to 0.0.0.0.')
  if (refused === 'EACCES')
    return wrong('port', `This account may not listen on port ${port}.`, 'Set PORT to 1024 or more, with a proxy in front.')
  const answer = await fetch(`http://${host}:${port}/livez`, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined)
  const said = answer?.ok ? await answer.text().catch(() => '') : ''
  return said.includes('alive')
    ? ok('port', `A service answers at ${host}:${port}.`)
    : wrong('port', `Another program has ${host}:${port}.`, 'End it, or set PORT to another port.')
}

/** The code of the error with which listening fails; undefined when it succeeds. */
const refusalOf = (host: string, port: number): Promise<string | undefined> =>
  new Promise(done => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => done(undefined)))
  })

const existing = async (path: string): Promise<string> =>
  access(path).then(
    () => path,
    () => (dirname(path) === path ? path : existing(dirname(path))),
  )

/** Checks that the data folder can be written and is private. */
export const checkFolder = async ({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> => {
  const path = resolve(dataDir)
  const at = await existing(path)
  const found = await stat(at)
  if (!found.isDirectory()) return wrong('data folder', `${at} is not a folder.`, 'Set DATA_DIR to a folder.')
  const isWritable = await access(at, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable) return wrong('data folder', `${at} cannot be written.`, 'Give the folder to the account of the service.')
  return ok('data folder', at === path ? path : `${path} is made at the first start.`)
}

/** Checks the free space where the database, the chain and the search index are. */
export const checkSpace = async ({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> => {
  const { bavail, bsize } = await statfs(await existing(resolve(dataDir)))
  const freeMib = Math.floor((bavail * bsize) / mib)
  const words = `${freeMib} MiB are free for ${resolve(dataDir)}.`
  const remedy = 'Free space, or set RETENTION_DAYS and run market operator prune.'
  if (freeMib < minFreeMib) return wrong('disk', `${words} A full disk refuses every write.`, remedy)
  return freeMib < fewFreeMib ? warning('disk', words, remedy) : ok('disk', words)
}
