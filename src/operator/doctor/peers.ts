import { createKmsKeys } from '../../chain/signing/kms/keys.ts'
import type { Config } from '../../config.ts'
import { type Finding, ok, warning, wrong } from '../../domain/offerings/diagnosis.ts'
import { Problem } from '../../domain/problem.ts'
import { createS3Place } from '../../files/s3Place.ts'
import { checkMail } from '../../net/mail.ts'

const timeoutMs = 5_000

/** Asks every server that the service would call besides the database and the nodes. Nothing is written there. */
export const checkPeers = async (config: Config): Promise<Finding[]> =>
  (
    await Promise.all(
      [checkKeys, checkBucket, checkMailServer, checkModel, checkCollector, checkWebhook].map(check => check(config)),
    )
  ).flat()

/** The answer of a server, or why there is none. Addresses may contain secrets, so the words name none. */
const ask = async (url: string, init: RequestInit): Promise<Response | string> => {
  try {
    return await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    return causeOf(error)
  }
}

/** Why a request failed. "fetch failed" says nothing, and its cause does. */
const causeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error) || cause.name === 'TimeoutError') return 'no answer in time'
  return 'code' in cause ? String(cause.code) : cause.message
}

const isKeyRefused = ({ status }: Response) => status === 401 || status === 403

const checkKeys = async ({ kms }: Config): Promise<Finding[]> => {
  if (!kms) return []
  const keys = createKmsKeys(kms)
  const roles = (['treasury', 'evaluator', 'deployer'] as const).filter(it => kms.keys[it] && kms.keys[it] !== 'new')
  const asked = roles.map(role =>
    keys.keyOf(role).then(
      it => ok('key service', `It has the key of the ${role}, ${it?.address}.`),
      (error: unknown) =>
        wrong(
          'key service',
          `KMS_KEY_${role.toUpperCase()} cannot be read: ${causeOf(error)}`,
          'Check the key id, KMS_REGION, KMS_ENDPOINT and the rights of the access key.',
        ),
    ),
  )
  return Promise.all(asked)
}

const checkBucket = async ({ bucket }: Config): Promise<Finding[]> => {
  if (!bucket) return []
  const place = createS3Place({ ...bucket, draftsFolder: '', folderOf: async () => '' })
  const name = `${bucket.bucket} at ${bucket.endpoint}`
  return place.check().then(
    () => [ok('files', `The bucket ${name} answers.`)],
    (error: unknown) => [
      wrong(
        'files',
        `The bucket ${name}: ${error instanceof Problem ? error.detail : 'no answer'} Uploads and downloads fail until then.`,
        'Check FILES_URL, FILES_ENDPOINT, FILES_REGION and the rights of the access key.',
      ),
    ],
  )
}

const openAiUrl = 'https://api.openai.com/v1'

const checkModel = async ({ model, embeddings }: Config): Promise<Finding[]> => {
  const source = model ?? embeddings
  if (!source) return []
  const names = [model, embeddings].flatMap(it => (it ? [it.model] : []))
  const base = source.provider === 'openai' ? openAiUrl : source.baseUrl.replace(/\/+$/, '')
  const answer = await ask(`${base}/models`, { headers: { authorization: `Bearer ${source.apiKey}` } })
  const without = 'Until then the butler reads without a model.'
  if (typeof answer === 'string')
    return [wrong('model', `Its server does not answer: ${answer}.`, `Check MODEL_BASE_URL and the network. ${without}`)]
  if (isKeyRefused(answer)) return [wrong('model', 'Its server refuses the key.', `Check the key of the model. ${without}`)]
  const body: unknown = await answer.json().catch(() => undefined)
  const served = listedIn(body)
  const missing = names.filter(it => !served.includes(it))
  if (!answer.ok || served.length === 0)
    return [ok('model', `Its server answers, and does not list its models: ${names.join(', ')}.`)]
  return missing.length === 0
    ? [ok('model', `Its server has ${names.join(' and ')}.`)]
    : [warning('model', `Its server does not list ${missing.join(' and ')}.`, `Check MODEL and EMBEDDING_MODEL. ${without}`)]
}

/** The ids in a list of models (OpenAI API, `GET /models`). */
const listedIn = (body: unknown): string[] => {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
  if (!Array.isArray(data)) return []
  return data.flatMap((it: unknown) => (typeof it === 'object' && it !== null && 'id' in it ? [String(it.id)] : []))
}

const checkCollector = async ({ tracing }: Config): Promise<Finding[]> => {
  if (!tracing) return []
  const url = `${tracing.endpoint.replace(/\/+$/, '')}/v1/traces`
  const headers = { ...tracing.headers, 'content-type': 'application/json' }
  const answer = await ask(url, { method: 'POST', headers, body: '{"resourceSpans":[]}' })
  const remedy = 'Check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS, or unset them.'
  if (typeof answer === 'string') return [wrong('collector', `It does not answer: ${answer}. Traces are dropped.`, remedy)]
  return answer.ok
    ? [ok('collector', 'It takes traces.')]
    : [wrong('collector', `It answers with ${answer.status}. Traces are dropped.`, remedy)]
}

const checkWebhook = async ({ alertWebhook }: Config): Promise<Finding[]> => {
  if (alertWebhook === undefined) return []
  const answer = await ask(alertWebhook, { method: 'HEAD' })
  const remedy = 'Check ALERT_WEBHOOK, or unset it: alerts are in the log as well.'
  if (typeof answer === 'string') return [wrong('alerts', `The webhook does not answer: ${answer}.`, remedy)]
  // Many webhooks take only POST, which would be an alert.
  return answer.status === 404 || answer.status === 410
    ? [warning('alerts', `The webhook answers with ${answer.status} to a question by HEAD.`, remedy)]
    : [ok('alerts', 'The server of the webhook answers.')]
}

const checkMailServer = async ({ mail }: Config): Promise<Finding[]> => {
  if (!mail) return []
  return checkMail(mail.url).then(
    () => [ok('mail', 'The mail server takes the connection and the password.')],
    (error: unknown) => {
      const cause = error instanceof Error ? error.message : String(error)
      return [wrong('mail', `Nobody can sign in by e-mail: ${cause}.`, 'Check SMTP_URL and its password, or unset it.')]
    },
  )
}
