import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Hex } from 'viem'
import { agentRegistryBytecode } from '../../src/chain/contracts/artifacts/AgentRegistry.ts'
import { jobEscrowBytecode } from '../../src/chain/contracts/artifacts/JobEscrow.ts'
import { testUsdcBytecode } from '../../src/chain/contracts/artifacts/TestUsdc.ts'
import { testWrappedCoinBytecode } from '../../src/chain/contracts/artifacts/TestWrappedCoin.ts'
import { tokenLaunchpadBytecode } from '../../src/chain/contracts/artifacts/TokenLaunchpad.ts'
import { command, print, whole } from '../command.ts'

const root = new URL('forge/', import.meta.url).pathname
const modules = new URL('../../node_modules/', import.meta.url).pathname

/** The path of the forge binary that npm installed for this platform, if there is one. */
export const findForge = (): string | undefined => {
  try {
    return createRequire(import.meta.url).resolve('@foundry-rs/forge-linux-amd64/bin/forge')
  } catch {
    return undefined
  }
}

type Campaign = {
  runs: number
  depth?: number
  escrow?: Hex
  launchpad?: Hex /** Of one contract alone. */
  only?: 'JobEscrow' | 'Curve' /** For a campaign that must find the same again. */
  seed?: Hex
  /** The campaign is ended after so many seconds. */
  seconds?: number
}

/** Tries to shorten the sequence of a violation. Each one repeats the sequence, so that more of them take minutes. */
const shrinks = 200

/**
 * Runs forge, which calls an escrow and a launchpad at random and checks the invariants of `forge/` after each call, without
 * network.
 * @param of.escrow creation code, as `launchpad`; default: the committed one
 * @returns whether all invariants held, with the output of forge
 */
export const checkInvariants = async (forge: string, of: Campaign) => {
  const { runs, depth = 64, escrow = jobEscrowBytecode, launchpad = tokenLaunchpadBytecode, only, seed, seconds = 600 } = of
  // An empty home directory, so that forge reads no user settings and stores no failure of a planted bug.
  const home = await mkdtemp(join(tmpdir(), 'invariants-'))
  const env = {
    HOME: home,
    PATH: [dirname(process.execPath), join(modules, '.bin'), '/usr/bin', '/bin'].join(delimiter),
    FOUNDRY_SOLC: join(root, 'solc.ts'),
    FOUNDRY_INVARIANT_RUNS: `${runs}`,
    FOUNDRY_INVARIANT_DEPTH: `${depth}`,
    FOUNDRY_INVARIANT_FAILURE_PERSIST_DIR: home,
    // The shortest sequence for a planted bug is not needed.
    FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: `${seed ? 0 : shrinks}`,
    ...(seed && { FOUNDRY_FUZZ_SEED: seed }),
    JOB_ESCROW: escrow,
    TEST_USDC: testUsdcBytecode,
    AGENT_REGISTRY: agentRegistryBytecode,
    TEST_WRAPPED_COIN: testWrappedCoinBytecode,
    TOKEN_LAUNCHPAD: launchpad,
  }
  try {
    const { stdout } = await promisify(execFile)(forge, ['test', '--root', root, ...(only ? ['--match-contract', only] : [])], {
      env,
      maxBuffer: 2 ** 26,
      ...{ timeout: seconds * 1_000, killSignal: 'SIGKILL' as const },
    })
    return { holds: true, words: stdout }
  } catch (error) {
    if (error instanceof Error && 'killed' in error && error.killed) return { holds: false, words: toUnended(seconds) }
    return { holds: false, words: error instanceof Error && 'stdout' in error ? `${error.stdout}\n${error.message}` : `${error}` }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

const toUnended = (seconds: number) =>
  `The campaign did not end within ${seconds} seconds, so nothing is known. Give it more time (--seconds), or fewer runs (--runs).`

/** Distinguishes a violated invariant from a campaign that could not run. */
const failure = /\[FAIL: (.*?)\]/

const findPlanted = async (forge: string, say: (line: string) => void) => {
  // Imported here, because loading the compiler takes longer than a short campaign.
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
  const { runs, seconds, planted } = command('invariants', 'Lets Foundry search for contract calls that lose money.')
    .option('--runs <count>', 'sequences of calls', whole, 256)
    .option('--seconds <count>', 'end a campaign after this time', whole, 600)
    .option('--planted', 'also look for bugs that are put in on purpose', false)
    .parse()
    .opts<{ runs: number; seconds: number; planted: boolean }>()
  const forge = findForge()
  if (!forge) throw new Error('There is no forge from npm for this system; the invariants cannot be checked here.')
  const { holds, words } = await checkInvariants(forge, { runs, seconds })
  print(words)
  const allFound = !planted || (await findPlanted(forge, print))
  if (!holds || !allFound) process.exitCode = 1
}
