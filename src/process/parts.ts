import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { z } from 'zod'

const require = createRequire(import.meta.url)
const peers = z.object({ peerDependencies: z.record(z.string(), z.string()) })

/** Packages of other platforms have other names, such as `@lancedb/lancedb-darwin-arm64`. */
const platform = `${process.platform}-${process.arch}`
const index = /^@lancedb\/lancedb-/
const anvil = /^@foundry-rs\/anvil-/

/** Which parts a start needs: the search index always, and anvil unless the chains are public or a path of anvil is set. */
type Needs = { anvil: boolean }

/**
 * Refuses a start whose native parts are not installed. The package leaves them out, because providers and clients need none.
 * @throws Error with the command that installs the parts of this platform in the versions of this release
 */
export const requireParts = (needs: Needs): void => {
  const { peerDependencies } = peers.parse(require('agent-marketplace/package.json'))
  const wanted = Object.entries(peerDependencies).filter(([name]) => isNeeded(name, needs))
  const missing = wanted.filter(([name]) => !isInstalled(name)).map(([name, version]) => `${name}@${version}`)
  if (!wanted.some(([name]) => index.test(name))) throw new Error(`The search index does not run on ${platform}.`)
  if (missing.length > 0)
    throw new Error(`The service needs parts that are not installed here. Run: npm install ${missing.join(' ')}`)
}

const isNeeded = (name: string, needs: Needs): boolean =>
  isForHere(name) && (index.test(name) || (anvil.test(name) && needs.anvil && !isOnPath('anvil')))

/** A part's name ends with its platform; on Linux the index is built for glibc, and anvil calls x64 `amd64`. */
const isForHere = (name: string): boolean =>
  [platform, `${platform}-gnu`, `${platform}-msvc`, platform.replace('x64', 'amd64')].some(it => name.endsWith(`-${it}`))

const isInstalled = (name: string): boolean => {
  try {
    require.resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}

const isOnPath = (command: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some(dir => dir !== '' && existsSync(join(dir, command)))
