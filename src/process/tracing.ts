import { createHash } from 'node:crypto'
import type { SpanContext } from '@opentelemetry/api'
import { type Span, wholeRun } from '../domain/runs/hireTrace.ts'
import type { RecordSpan } from '../ports.ts'

type Tracing = { record: RecordSpan; close(): Promise<void> }
type To = { endpoint: string; headers?: Record<string, string> | undefined; service: string }

/** Maximum ms between the end of a span and its export. */
const batchMs = 2_000
/** Maximum ms of one request to the collector. The end of the process waits that long for the last one. */
const exportMs = 3_000

/**
 * Sends spans to an OpenTelemetry collector by OTLP/HTTP. All processes derive the ids of a trace from the id of the run, so a
 * hire is one trace wherever and whenever its parts happen. When the collector does not answer, spans are dropped.
 */
export const openTracing = async ({ endpoint, headers, service }: To): Promise<Tracing> => {
  // Loaded here, so that a process without tracing does not load these packages.
  const [api, { BatchSpanProcessor, RandomIdGenerator, TracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportMs, ...(headers && { headers }) })
  const batches = new BatchSpanProcessor({ exporter, scheduledDelayMillis: batchMs, exportTimeoutMillis: exportMs })
  const random = new RandomIdGenerator()
  let next: { traceId: string; spanId: string | undefined } | undefined
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'process.pid': process.pid }),
    spanProcessors: [batches],
    // The ids of the span that `record` is starting. Starting a span does not wait, so no other span takes them.
    idGenerator: {
      generateTraceId: () => next?.traceId ?? random.generateTraceId(),
      generateSpanId: () => next?.spanId ?? random.generateSpanId(),
    },
  })
  const tracer = provider.getTracer('agent-marketplace')
  const record: RecordSpan = span => {
    const { key, name, attributes } = span
    const traceId = toTraceId(span.runId)
    const cause = toContext(span.causedBy, api.TraceFlags.SAMPLED)
    const parent = { traceId, spanId: toSpanId(span, span.parentKey ?? wholeRun), traceFlags: api.TraceFlags.SAMPLED }
    const within = key === wholeRun ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, parent)
    next = { traceId, spanId: key === undefined ? undefined : toSpanId(span, key) }
    const kind = span.name.startsWith('POST ') ? api.SpanKind.SERVER : api.SpanKind.INTERNAL
    const links = cause ? [{ context: cause }] : []
    const started = tracer.startSpan(name, { startTime: new Date(span.startedAt), attributes, kind, links }, within)
    next = undefined
    if (span.isFailed) started.setStatus({ code: api.SpanStatusCode.ERROR })
    started.end(new Date(span.endedAt))
  }
  // A collector that is away must not keep the process.
  return { record, close: () => provider.shutdown().catch(() => undefined) }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
const toTraceId = (runId: string) => digestOf(runId).slice(0, 32)
const toSpanId = ({ runId }: Span, key: string) => digestOf(`${runId} ${key}`).slice(0, 16)

/** Reads a W3C traceparent; undefined when it has another form. */
const toContext = (text: string | undefined, traceFlags: number): SpanContext | undefined => {
  const [, traceId, spanId] = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(text ?? '') ?? []
  return traceId && spanId ? { traceId, spanId, traceFlags, isRemote: true } : undefined
}
