import { isIP } from 'node:net'
import { z } from 'zod'
import { demoHandles } from './domain/agents/localAgents.ts'
import type { chainNames } from './domain/chains/chains.ts'
import { address } from './domain/hex.ts'
import { limits } from './domain/limits.ts'
import { parseUsdc } from './domain/money/money.ts'

/** The public chains that can be served. */
export const chainIds = [97, 84532, 1952, 56, 8453] as const satisfies (keyof typeof chainNames)[]

const flag = z.enum(['true', 'false', '1', '0']).transform(text => text === 'true' || text === '1')

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const webAddress = z.url({ protocol: /^https?$/ })
const list = z.string().transform(text => text.split(',').flatMap(it => it.trim() || []))

const usdcText = z.string().refine(text => parseUsdc(text, usdcTextDecimals) !== undefined, 'must be an amount of USDC')
/** Smallest number of decimals of any supported USDC, for amounts in the environment. */
const usdcTextDecimals = 6

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return more.length === 0 && most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

/** `X-Forwarded-For 127.0.0.1,10.0.0.0/8`: the header with the client's address, and the proxies that are trusted to set it. */
const trustedProxy = z.string().transform((text, issues) => {
  const [header = '', names = '', ...more] = text.trim().split(/\s+/)
  const addresses = names.split(',')
  if (more.length === 0 && /^[a-z][a-z0-9-]*$/i.test(header) && !/^forwarded$/i.test(header) && addresses.every(isNetwork))
    return { header, addresses }
  issues.addIssue({
    code: 'custom',
    message: 'must be a header that lists addresses, and those of the proxies, as X-Forwarded-For 127.0.0.1,10.0.0.0/8',
  })
  return z.NEVER
})

/** The format of the standard variable: a list of `name=value`, in which values are percent-encoded (W3C Baggage). */
const otlpHeaders = z.string().transform((text, issues) => {
  const pairs = text.split(',').map(it => /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(it))
  try {
    if (pairs.every(it => it !== null))
      return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, decodeURIComponent(value)]))
  } catch {
    // A value with a broken percent sequence is refused like any other.
  }
  issues.addIssue({ code: 'custom', message: 'must be headers as name=value,name=value' })
  return z.NEVER
})

/** Environment variables with defaults and descriptions. docs/settings.md and .env.example are generated from this schema. */
export const environment = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address that the service listens on.'),
  PORT: whole(0, 65535).default(8001).describe('Port that the service listens on; 0 for any free one.'),
  PUBLIC_URL: z
    .url()
    .optional()
    .describe('Base address under which clients reach the service; default: the address it listens on.'),
  DATA_DIR: z.string().default('./data').describe('Folder of the database, the embedded chain, the search index and the keys.'),
  DATABASE_URL: z.string().startsWith('postgres').optional().describe('A PostgreSQL server that replaces the database file.'),
  DATABASE_POOLER_URL: z
    .string()
    .startsWith('postgres')
    .optional()
    .describe(
      'PgBouncer in transaction mode before the server of DATABASE_URL. Statements go through it; elections and notifications, ' +
        'which need sessions, go to DATABASE_URL.',
    ),
  DATABASE_READ_URL: z
    .string()
    .startsWith('postgres')
    .optional()
    .describe(
      'A replica of the server of DATABASE_URL, from which the lists, counts and statistics of the market are read. They may ' +
        'lag behind it. While it does not answer, they are read from DATABASE_URL.',
    ),
  POOL_SIZE: whole(2, 1_000)
    .default(limits.databaseConnections)
    .describe('The most connections of this process to PostgreSQL for statements, beside three or four for sessions.'),
  ROLE: z
    .enum(['all', 'web', 'worker'])
    .default('all')
    .describe(
      'Of several processes on one PostgreSQL server: ' +
        '`web` serves requests, `worker` does the work behind them and answers only probes, `all` does both. ' +
        'One process of those that work leads each chain.',
    ),
  MASTER_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hex digits')
    .optional()
    .describe(
      '64 hex digits that encrypt the custodial keys; default: a file in DATA_DIR, made at the first start. ' +
        'Needed with a database on another machine.',
    ),
  LOCAL_WORLD: flag
    .optional()
    .describe(
      'Runs demo agents, demo wallets open to everybody, and a faucet of test USDC; default: ' +
        'true on the own chain, false with RPC_URL_<chain id>.',
    ),
  LOCAL_AGENTS: z
    .string()
    .default(demoHandles.join(','))
    .transform(text => text.split(',').flatMap(it => it.trim() || []))
    .pipe(z.array(z.enum(demoHandles)))
    .describe('Demo agents of the local world, separated by commas; empty for none.'),
  REBUILD: flag
    .default(false)
    .describe('At start, forgets what was read from the chains and reads it again. Payments by x402 follow their transfers.'),
  ALLOW_PRIVATE_ENDPOINTS: flag
    .optional()
    .describe(
      'Agents may name addresses of private networks, which this service then calls; default: ' +
        'true in the local world on its own chain.',
    ),
  PLATFORM_FEE_BPS: whole(0, 1000)
    .default(0)
    .describe(
      'Fee of the escrow in basis points, fixed when the embedded chain is made; ' +
        'on public chains the escrow itself says its fee.',
    ),
  FAUCET_USDC: usdcText.default('25').describe('Test USDC that a new user gets on the embedded chain, as a decimal amount.'),
  TOKEN_DAYS: whole(1, 365).default(30).describe('Lifetime of an access token in days.'),
  TOKEN_KEY_DAYS: whole(1, 3650).default(90).describe('Days after which a new key signs access tokens.'),
  MAX_JOB_USDC: usdcText.default('10000').describe('The most USDC that a custodial wallet commits to one job.'),
  MAX_DAY_USDC: usdcText.default('50000').describe('The most USDC that a custodial wallet commits in 24 hours.'),
  MODEL: z
    .string()
    .optional()
    .describe(
      'Name of the language model; default with OPENAI_API_KEY: gpt-4.1-mini. ' +
        'Without a key the butler reads without a model and says so.',
    ),
  MODEL_BASE_URL: z.url().optional().describe('Base address of an OpenAI-compatible server, such as Ollama or vLLM.'),
  MODEL_API_KEY: z.string().optional().describe('Key for the server of MODEL_BASE_URL.'),
  MODEL_SECONDS: z.coerce
    .number()
    .min(1)
    .max(300)
    .default(20)
    .describe('The most seconds that one message waits for the language model; what is left is then read without it.'),
  MODEL_FIRST_TOKEN_SECONDS: z.coerce
    .number()
    .min(0.1)
    .max(300)
    .default(4)
    .describe('The most seconds until the language model begins to answer; then the message is read without it.'),
  EMBEDDING_MODEL: z
    .string()
    .optional()
    .describe('Embedding model of the same provider; search then compares meanings as well as words.'),
  OPENAI_API_KEY: z.string().optional().describe('Key for the models of OpenAI.'),
  ANVIL: z.string().optional().describe("Path of Foundry's anvil; default: the one that npm installed."),
  KMS_ENDPOINT: webAddress.optional().describe('Address of the key management service, where it is not the one of AWS.'),
  KMS_REGION: z.string().optional().describe('Region of the AWS key management service.'),
  KMS_KEY_TREASURY: z.string().optional().describe('Key id of the treasury in AWS KMS (ECC_SECG_P256K1), or `new` to make one.'),
  KMS_KEY_EVALUATOR: z.string().optional().describe('Key id of the evaluator in AWS KMS, or `new`.'),
  KMS_KEY_DEPLOYER: z.string().optional().describe('Key id of the deployer in AWS KMS, or `new`.'),
  AWS_ACCESS_KEY_ID: z.string().optional().describe('Access key for AWS KMS, and for the bucket of FILES_URL.'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('Secret key for AWS KMS, and for the bucket of FILES_URL.'),
  AWS_SESSION_TOKEN: z.string().optional().describe('Session token for AWS KMS, and for the bucket of FILES_URL.'),
  MAX_STREAMS: whole(1, 100_000).default(limits.streamsOfAll).describe('Event streams that are open at once, in all.'),
  MAX_STREAMS_PER_USER: whole(1, 100_000).default(limits.streams).describe('Event streams that one user has open at once.'),
  MAX_STREAMS_PER_ADDRESS: whole(1, 100_000)
    .default(limits.streamsOfAddress)
    .describe('Event streams that one network address has open at once, whatever users it shows.'),
  TRUSTED_PROXY: trustedProxy
    .optional()
    .describe(
      'Reverse proxies whose header names the client: ' +
        'the header, then their addresses, as `X-Forwarded-For 127.0.0.1,10.0.0.0/8`. ' +
        'Behind a proxy and without it, clients have no address and are not counted by one.',
    ),
  RATE_LIMIT: whole(0, 1_000_000)
    .default(200)
    .describe(
      'Requests a second of one user, or of one network address without a token. ' +
        'One address takes a quarter of the service at most. 0 for no bound of either.',
    ),
  RETENTION_DAYS: whole(0, 36_500)
    .optional()
    .describe(
      'Days after which the events, messages and deliverables of ended runs are removed; what concerns money stays. ' +
        'Without it everything is kept. `0`, which removes them at once, is for `market operator prune` only.',
    ),
  CATALOGUES: list
    .pipe(z.array(webAddress).max(20))
    .optional()
    .describe(
      'Addresses of catalogues of x402 resources, separated by commas, each the base of `/discovery/resources`. ' +
        'What they list is checked and can be bought here; without them nothing is read.',
    ),
  PROBES_PER_MINUTE: whole(1, 100_000)
    .default(limits.probesAMinute)
    .describe('The most checks a minute of resources that catalogues list, in all. One host gets twenty at most.'),
  FILES_URL: z
    .string()
    .regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w./-]{0,200})?$/, 'must be s3://bucket or s3://bucket/folder')
    .optional()
    .describe(
      'A bucket that keeps the uploaded files, as `s3://bucket` or `s3://bucket/folder`, with the access key of ' +
        'AWS_ACCESS_KEY_ID; without it they are in DATA_DIR. Needed where several machines serve.',
    ),
  FILES_ENDPOINT: webAddress.optional().describe('Address of the object store of FILES_URL, where it is not that of AWS.'),
  FILES_REGION: z.string().default('us-east-1').describe('Region of the bucket of FILES_URL.'),
  MAX_FILE_MB: z.coerce
    .number()
    .min(1)
    .max(4_096)
    .default(limits.fileBytes / 1_024 ** 2)
    .describe('Megabytes (MiB) of one uploaded file at most.'),
  MAX_FILES_GB: z.coerce
    .number()
    .positive()
    .max(1_000_000)
    .optional()
    .describe(
      'Gigabytes (GiB) of all files together. Beyond it, and where the disk is nearly full, the oldest go that no job refers ' +
        'to; without it the disk is the bound.',
    ),
  OPERATOR_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('Bearer token with which the operator reads `/metrics` and `/operator`; without it there are neither.'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'Mail server, as `smtp://user:password@host:587`, for links that sign in by e-mail; without it there are none. ' +
        'A server on another machine must speak TLS.',
    ),
  SMTP_FROM: z.email().optional().describe('Sender of these mails; needed with SMTP_URL.'),
  ALERT_WEBHOOK: webAddress
    .optional()
    .describe('Address that alerts are posted to as JSON, such as the webhook of a chat; without it they are in the log only.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress
    .optional()
    .describe(
      'Base address of an OpenTelemetry collector, which gets a trace of each hire by OTLP/HTTP (JSON) at `/v1/traces`; ' +
        'without it nothing is traced.',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders
    .optional()
    .describe('Headers for the collector, as `name=value,name=value`, such as its key; values are percent-encoded.'),
  OTEL_SERVICE_NAME: z.string().default('agent-marketplace').describe('Name of the service in its traces.'),
  RUN_HISTORY: flag
    .default(true)
    .describe(
      'Keeps for 7 days what the butler read and decided in each run, with the prompts and answers of the model; ' +
        'its user can export it. Secrets that a pattern recognises are removed.',
    ),
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'])
    .default('warn')
    .describe('Least severe level that is logged, as lines of JSON on standard error.'),
})

const contract = z
  .string()
  .transform(text => text.toLowerCase())
  .pipe(address)
  .optional()

/** Settings of one public chain; each name ends with `_<chain id>`. */
export const chainVariables = z.object({
  RPC_URL: webAddress
    .optional()
    .describe('Node of the chain; without it the chain is not served. One such setting replaces the embedded chain.'),
  ESCROW: contract.describe('Address of the JobEscrow contract.'),
  EVALUATOR: contract.describe('Address that judges deliverables in that escrow.'),
  REGISTRY: contract.describe('Address of the ERC-8004 identity registry; default: the canonical one.'),
  REPUTATION: contract.describe('Address of the ERC-8004 reputation registry; default: the canonical one.'),
  VALIDATION: contract.describe('Address of the ERC-8004 validation registry; without it verdicts are not written on chain.'),
  USDC: contract.describe('Address of the USDC contract; default: the one of the chain.'),
  LAUNCHPAD: contract.describe('Address of the TokenLaunchpad contract; without it no agent tokens are offered.'),
  WRAPPED_COIN: contract.describe('Address of the wrapped coin; default: the known one of BSC and Base.'),
  FACILITATOR_URL: webAddress
    .optional()
    .describe(
      'Base address of an x402 facilitator, which then verifies and settles paid calls on this chain; ' +
        'default: this service settles them by itself, as it also does where the facilitator fails.',
    ),
  OTHER_TOKENS: z
    .string()
    .transform(text => text.split(',').flatMap(it => it.trim().toLowerCase() || []))
    .pipe(z.array(address).max(20))
    .optional()
    .describe(
      'Addresses of tokens, separated by commas, that arrive by mistake: their owners are told, and can withdraw them. ' +
        'Some are known without it, such as USDT and DAI.',
    ),
  CONFIRMATIONS: whole(0, 1_000)
    .optional()
    .describe('Blocks on top of a block before it is believed; default: 12 on BSC, 2 on Base, 5 on X Layer.'),
})
