import { join } from 'node:path'
import type { z } from 'zod'
import { isProduction } from './domain/chains/chains.ts'
import { dayMs } from './domain/durations.ts'
import { refuseUnknownSettings } from './refuseUnknownSettings.ts'
import { chainIds, chainVariables, environment } from './settings.ts'

/**
 * Validates the environment and returns it as one frozen object.
 * @throws Error that names the invalid variable, never its value
 */
export const readConfig = (env: Record<string, string | undefined>) => {
  refuseUnknownSettings(Object.keys(env))
  const it = check(environment, withoutEmpty(env))
  const chains = readChains(withoutEmpty(env))
  refuseContradictions(it, chains)
  // On a public test chain, demo sign-in and the demo user of MCP would be open to everybody.
  const isLocal = it.LOCAL_WORLD ?? chains.length === 0
  return Object.freeze({
    host: it.HOST,
    port: it.PORT,
    publicUrl: it.PUBLIC_URL,
    dataDir: it.DATA_DIR,
    /** Directory for the trained classifier of messages, which can be deleted at any time. */
    readerDir: join(it.DATA_DIR, 'reader'),
    databaseUrl: it.DATABASE_URL,
    /** A pooler in transaction mode, a replica for lists, and the connections for statements. */
    pooling: { pooler: it.DATABASE_POOLER_URL, reader: it.DATABASE_READ_URL, connections: it.POOL_SIZE },
    role: it.ROLE,
    masterKey: it.MASTER_KEY,
    /** Whether to delete everything read from the chains at the start and read it again. */
    rebuild: it.REBUILD,
    local: isLocal,
    localAgents: it.LOCAL_AGENTS,
    feeBps: it.PLATFORM_FEE_BPS,
    faucet: it.FAUCET_USDC,
    tokens: { days: it.TOKEN_DAYS, keyDays: it.TOKEN_KEY_DAYS },
    spending: { job: it.MAX_JOB_USDC, day: it.MAX_DAY_USDC },
    /** Requests per second of one caller; 0 for no limit. */
    rateLimit: it.RATE_LIMIT,
    streams: { ofOne: it.MAX_STREAMS_PER_USER, ofAddress: it.MAX_STREAMS_PER_ADDRESS, ofAll: it.MAX_STREAMS },
    /** The trusted proxies, and the header in which they name the client. */
    trustedProxy: it.TRUSTED_PROXY,
    model: toModel(it),
    /** The most ms that one message waits for the model. */
    modelMs: it.MODEL_SECONDS * 1_000,
    /** The most ms until the model begins to answer. */
    firstTokenMs: it.MODEL_FIRST_TOKEN_SECONDS * 1_000,
    embeddings: toEmbeddings(it),
    anvil: it.ANVIL,
    kms: toKms(it),
    chains,
    // Outside the local world, endpoints of strangers must not reach private networks.
    allowsPrivate: it.ALLOW_PRIVATE_ENDPOINTS ?? (isLocal && chains.length === 0),
    /** How long ended runs keep their texts, in ms; undefined for ever. */
    keepMs: it.RETENTION_DAYS === undefined ? undefined : it.RETENTION_DAYS * dayMs,
    /** The catalogues of other services that are read; undefined for none. */
    catalogues: it.CATALOGUES && { urls: it.CATALOGUES, probesPerMinute: it.PROBES_PER_MINUTE },
    ...toFiles(it),
    operatorToken: it.OPERATOR_TOKEN,
    alertWebhook: it.ALERT_WEBHOOK,
    mail: toMail(it),
    tracing: toTracing(it),
    runHistory: it.RUN_HISTORY,
    logLevel: it.LOG_LEVEL,
  })
}
export type Config = ReturnType<typeof readConfig>

const toFiles = (it: z.output<typeof environment>) => ({
  /** The most bytes of one uploaded file. */
  fileBytes: it.MAX_FILE_MB * 1_024 ** 2,
  /** The most bytes of all files together; undefined for what the disk holds. */
  allFilesBytes: it.MAX_FILES_GB && Math.floor(it.MAX_FILES_GB * 1_024 ** 3),
  /** The bucket of uploaded files; undefined for a folder in the data folder. */
  bucket: toBucket(it),
})

/** Refuses variables that fit alone, but not together. */
const refuseContradictions = (it: z.output<typeof environment>, chains: ReturnType<typeof readChains>): void => {
  const isReal = chains.some(it => isProduction(it.chainId))
  if (it.LOCAL_WORLD && isReal)
    throw new Error('LOCAL_WORLD is for test money only. Unset it, or remove the chains with real money.')
  if (it.ROLE !== 'all' && !it.DATABASE_URL)
    throw new Error(`ROLE=${it.ROLE} needs DATABASE_URL: a database file has one process, which does everything.`)
  if (it.DATABASE_POOLER_URL && !it.DATABASE_URL)
    throw new Error('DATABASE_POOLER_URL needs DATABASE_URL: elections and notifications go there.')
}

/** Validates variables against a schema. The suffix is part of their names in the environment. */
const check = <S extends z.ZodType>(shape: S, given: Record<string, unknown>, suffix = ''): z.output<S> => {
  const parsed = shape.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`The environment variable ${issue?.path.join('.')}${suffix} does not fit: ${issue?.message}`)
}

/** The public chains with a configured node. */
const readChains = (env: Record<string, string | undefined>) =>
  chainIds.flatMap(chainId => {
    const suffix = `_${chainId}`
    const given = Object.fromEntries(Object.keys(chainVariables.shape).map(name => [name, env[`${name}${suffix}`]]))
    const { RPC_URL: rpcUrl, ...it } = check(chainVariables, given, suffix)
    if (!rpcUrl) return []
    const { ESCROW: escrow, EVALUATOR: evaluator, REGISTRY: registry, REPUTATION: reputation, VALIDATION: validation } = it
    const tokens = { launchpad: it.LAUNCHPAD, wrappedCoin: it.WRAPPED_COIN }
    const contracts = { escrow, evaluator, registry, reputation, validation, usdc: it.USDC, others: it.OTHER_TOKENS, ...tokens }
    return [{ chainId, rpcUrl, ...contracts, confirmations: it.CONFIRMATIONS, facilitator: it.FACILITATOR_URL }]
  })

/** Variables whose empty value is one of their values. Any other empty variable counts as absent. */
const meansNone = new Set(['LOCAL_AGENTS'])

const withoutEmpty = (env: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => value !== '' || meansNone.has(name)))

/** Roles with a configured key id use the cloud KMS. All other keys are stored here, sealed. */
const toKms = (it: z.infer<typeof environment>) => {
  const keys = { treasury: it.KMS_KEY_TREASURY, evaluator: it.KMS_KEY_EVALUATOR, deployer: it.KMS_KEY_DEPLOYER }
  if (Object.values(keys).every(id => id === undefined)) return undefined
  const { KMS_ENDPOINT: endpoint, KMS_REGION: region, AWS_ACCESS_KEY_ID: accessKeyId } = it
  const { AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = it
  if (!region || !accessKeyId || !secretAccessKey)
    throw new Error('Keys in a KMS need KMS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  return { endpoint, region, keys, credentials: { accessKeyId, secretAccessKey, sessionToken } }
}

/** A bucket that keeps the files, addressed by its path, which every store that speaks S3 understands. */
const toBucket = (it: z.infer<typeof environment>) => {
  const [, bucket, folder = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(it.FILES_URL ?? '') ?? []
  if (bucket === undefined) return undefined
  const { FILES_REGION: region, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = it
  if (!accessKeyId || !secretAccessKey) throw new Error('FILES_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  const endpoint = it.FILES_ENDPOINT ?? `https://s3.${region}.amazonaws.com`
  const credentials = { accessKeyId, secretAccessKey, sessionToken: it.AWS_SESSION_TOKEN }
  return { endpoint, bucket, prefix: folder && `${folder.replace(/\/+$/, '')}/`, region, credentials }
}

/** Without a mail server, nobody signs in by e-mail. */
const toMail = ({ SMTP_URL: url, SMTP_FROM: from }: z.infer<typeof environment>) => {
  if (url === undefined) return undefined
  if (from === undefined) throw new Error('SMTP_URL needs SMTP_FROM, the address that the mails come from.')
  return { url, from }
}

/** Without an address, no trace is recorded. */
const toTracing = (it: z.infer<typeof environment>) =>
  it.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
    ? undefined
    : { endpoint: it.OTEL_EXPORTER_OTLP_ENDPOINT, headers: it.OTEL_EXPORTER_OTLP_HEADERS, service: it.OTEL_SERVICE_NAME }

/** Small, cheap and able to follow a schema, because the prompts are short. */
const defaultOpenAiModel = 'gpt-4.1-mini'

/** The model provider: with a base URL any OpenAI-compatible server, with an API key alone OpenAI, otherwise none. */
const toProvider = ({ MODEL_BASE_URL: baseUrl, MODEL_API_KEY, OPENAI_API_KEY }: z.infer<typeof environment>) => {
  const apiKey = MODEL_API_KEY ?? OPENAI_API_KEY
  // Self-hosted servers accept any key.
  if (baseUrl) return { provider: 'openai-compatible' as const, apiKey: apiKey ?? 'none', baseUrl }
  return apiKey ? { provider: 'openai' as const, apiKey } : undefined
}

/** Without a provider, rules parse the requests. */
const toModel = (it: z.infer<typeof environment>) => {
  const from = toProvider(it)
  if (!from) return undefined
  const model = it.MODEL ?? (from.provider === 'openai' ? defaultOpenAiModel : undefined)
  if (!model) throw new Error('MODEL must name the model that MODEL_BASE_URL serves.')
  return { ...from, model }
}

/** Embeddings come from the model's provider. Without EMBEDDING_MODEL, search matches words only. */
const toEmbeddings = (it: z.infer<typeof environment>) => {
  if (!it.EMBEDDING_MODEL) return undefined
  const from = toProvider(it)
  if (!from) throw new Error('EMBEDDING_MODEL needs OPENAI_API_KEY or MODEL_BASE_URL.')
  return { ...from, model: it.EMBEDDING_MODEL }
}
