import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { VersionNotSupportedError } from '@a2a-js/sdk/errors'
import { JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server'
import type { JsonObject } from '../domain/json.ts'
import { versionOf } from '../domain/net/a2aVersions.ts'
import { signCard } from '../operations/agents/registrationFile.ts'
import type { Caller, Deps } from '../operations/operation.ts'
import { createButlerHandler } from './butler.ts'
import { butlerPath, toServedCard } from './card.ts'
import { toA2aError } from './errors.ts'

const streaming = new Set(['SendStreamingMessage', 'SubscribeToTask', 'message/stream', 'tasks/resubscribe'])

type EndpointDeps = { deps: Deps; log(error: unknown): void }

/** The butler as an A2A agent: its card, its path, and its answer to a JSON-RPC request, which is one response or a stream. */
export const createA2aAgent = ({ deps, log }: EndpointDeps) => ({
  path: butlerPath,
  card: toServedCard(deps),
  signedCard: () => signCard(toServedCard(deps), deps.access?.sign),
  streams: ({ method }: JsonObject): boolean => typeof method === 'string' && streaming.has(method),
  answer: async (body: JsonObject, caller: Caller) => {
    const version = versionOf(caller.a2aVersion ?? '')
    if (!version) {
      const refusal = new VersionNotSupportedError('Versions 1.0 and 0.3 are supported.')
      return { jsonrpc: '2.0', id: null, error: JsonRpcTransportHandler.mapToJSONRPCError(refusal) }
    }
    const butler = createButlerHandler({ deps, caller, log })
    const context = new ServerCallContext({ requestedVersion: version })
    if (version === '1.0')
      return begin(body, new JsonRpcTransportHandler(butler).handle(body, context), {
        toError: JsonRpcTransportHandler.mapToJSONRPCError,
        log,
      })
    const legacy = new LegacyJsonRpcTransportHandler(butler).handle(body, context)
    return begin(body, legacy, { toError: LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError, log })
  },
})

type Frames = AsyncGenerator<object, void, undefined>

/** Waits for the first response of a stream, because a refused request is answered by one error and not by a stream. */
const begin = async (
  { id = null, method }: JsonObject,
  handled: Promise<object | Frames>,
  { toError, log }: Pick<EndpointDeps, 'log'> & { toError(error: unknown): object },
): Promise<object | Frames> => {
  const said = await handled
  if (!(Symbol.asyncIterator in said)) return said
  const toResponse = (error: unknown) => ({ jsonrpc: '2.0', id, error: toError(toA2aError(error, log)) })
  try {
    const first = await said.next()
    return (async function* () {
      if (first.done) return
      yield first.value
      try {
        yield* said
      } catch (error) {
        yield toResponse(error)
      }
    })()
  } catch (error) {
    return method === 'tasks/resubscribe' ? only(toResponse(error)) : toResponse(error)
  }
}

async function* only(it: object): Frames {
  yield it
}
