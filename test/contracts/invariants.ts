import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import type { Hex } from 'viem'
import { jobEscrowBytecode } from '../../src/chain/contracts/artifacts/JobEscrow.ts'
import { agentRegistryBytecode } from '../../src/chain/contracts/artifacts/AgentRegistry.ts'
import { testUsdcBytecode } from '../../src/chain/contracts/artifacts/TestUsdc.ts'
import { testWrappedCoinBytecode } from '../../src/chain/contracts/artifacts/TestWrappedCoin.ts'
import { tokenLaunchpadBytecode } from '../../src/chain/contracts/artifacts/TokenLaunchpad.ts'

const root = new URL('forge/', import.meta.url).pathname
const modules = new URL('../../node_modules/', import.meta.url).pathname

/** The forge that npm installed for this platform, if there is one. */
export const findForge = (): string | undefined => {
  try {
    return createRequire(import.meta.url).resolve('@foundry-rs/forge-linux-amd64/bin/forge')
  } catch {
    return undefined
  }
}

type Campaign = { runs: number; depth?: number; escrow?: Hex; launchpad?: Hex; /** Of one contract alone. */ only?: 'JobEscrow' | 'Curve' /** For a campaign that must find the same again. */; seed?: Hex }

/**
 * Lets forge call an escrow and a launchpad at random and look at the invariants of `forge/` after each call, without network.
 * @param of.escrow creation code, as `launchpad`; the committed one when absent
 * @returns whether all invariants held, with forge's own words
 */
export const checkInvariants = async (forge: string, of: Campaign) => {
  const { runs, depth = 64, escrow = jobEscrowBytecode, launchpad = tokenLaunchpadBytecode, only, seed } = of
  // Without a home forge reads nobody's own settings, and keeps no failure of a planted bug.
  const home = await mkdtemp(join(tmpdir(), 'invariants-'))
  const env = {
    HOME: home,
    PATH: [dirname(process.execPath), join(modules, '.bin'), '/usr/bin', '/bin'].join(delimiter),
    FOUNDRY_SOLC: join(root, 'solc.ts'),
    FOUNDRY_INVARIANT_RUNS: `${runs}`,
    FOUNDRY_INVARIANT_DEPTH: `${depth}`,
    FOUNDRY_INVARIANT_FAILURE_PERSIST_DIR: home,
    // The shortest way to a planted bug is of no interest.
    ...(seed && { FOUNDRY_FUZZ_SEED: seed, FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0' }),
    JOB_ESCROW: escrow,
    TEST_USDC: testUsdcBytecode,
    AGENT_REGISTRY: agentRegistryBytecode,
    TEST_WRAPPED_COIN: testWrappedCoinBytecode,
    TOKEN_LAUNCHPAD: launchpad,
  }
  try {
    const { stdout } = await promisify(execFile)(forge, ['test', '--root', root, ...(only ? ['--match-contract', only] : [])], { env, maxBuffer: 2 ** 26 })
    return { holds: true, words: stdout }
  } catch (error) {
    return { holds: false, words: error instanceof Error && 'stdout' in error ? `${error.stdout}\n${error.message}` : `${error}` }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** What forge says when a campaign ran and an invariant did not hold, rather than that it could not run at all. */
const failure = /\[FAIL: (.*?)\]/

const findPlanted = async (forge: string, say: (line: string) => void) => {
  // Loaded here: the compiler takes longer to load than a short campaign runs.
  const { compilePlanted } = await import('./plantedBugs.ts')
  let missed = 0
  for (const { bug, ...changed } of await compilePlanted()) {
    const only = changed.escrow ? ('JobEscrow' as const) : ('Curve' as const)
    const { words } = await checkInvariants(forge, { runs: 256, ...changed, only, seed: '0x1' })
    const found = failure.exec(words)?.[1]
    if (!found) missed += 1
    say(found ? `found   ${bug}: ${found}` : `MISSED  ${bug}`)
  }
  return missed === 0
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { runs: { type: 'string', default: '256' }, planted: { type: 'boolean', default: false } },
  })
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const forge = findForge()
  if (!forge) throw new Error('There is no forge from npm for this system; the invariants cannot be checked here.')
  const { holds, words } = await checkInvariants(forge, { runs: Number(values.runs) })
  say(words)
  const allFound = !values.planted || (await findPlanted(forge, say))
  if (!holds || !allFound) process.exitCode = 1
}
