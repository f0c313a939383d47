import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

/** The state kept between a question and its answer. It is signed, because it travels through the client. */
const asked = z.object({
  tool: z.string(),
  /** The operation input that the user is asked to approve. */
  input: z.record(z.string(), z.unknown()),
  /** The idempotency key: an answer that is sent again has no second effect. */
  key: z.string(),
})
export type Asked = z.infer<typeof asked>
export type AskState = ReturnType<typeof createAskState>

/** In seconds. A proposal expires after fifteen minutes, so a question about it does as well. */
const secondsToAnswer = 15 * 60

/** Creates the codec that signs question state. Each process has its own key: after a restart the user is asked again. */
export const createAskState = () => {
  const key = crypto.getRandomValues(new Uint8Array(32))
  return createRequestStateCodec<Asked>({ key, ttlSeconds: secondsToAnswer })
}

const clientCapabilities = 'io.modelcontextprotocol/clientCapabilities'
const capabilities = z.object({ elicitation: z.object({ form: z.unknown().optional(), url: z.unknown().optional() }) })
const envelope = z.object({ [clientCapabilities]: z.unknown().optional() })

/**
 * Whether the client can show a form to its user (MCP elicitation). A 2026 client declares this in each request. A 2025 client
 * declared it only when it connected, which a stateless server cannot know.
 */
export const canAsk = (server: McpServer, { mcpReq }: ServerContext): boolean => {
  const said = envelope.safeParse(mcpReq.envelope)
  const able = capabilities.safeParse(said.success ? said.data[clientCapabilities] : server.server.getClientCapabilities())
  if (!able.success) return false
  const { form, url } = able.data.elicitation
  // An empty elicitation capability means forms.
  return form !== undefined || url === undefined
}

/** The form has one boolean field, named after the tool. */
const decisionOf = (tool: string) => z.object({ [tool]: z.boolean().describe('Yes, on these terms') })

/**
 * The question of this tool that the request answers, and whether the user approved. Closing the form counts as no. Undefined
 * when the request answers no question of this tool.
 */
export const answerOf = (tool: string, { mcpReq }: ServerContext): { asked: Asked; isYes: boolean } | undefined => {
  const state = asked.safeParse(mcpReq.requestState())
  if (!state.success || state.data.tool !== tool) return undefined
  return { asked: state.data, isYes: acceptedContent(mcpReq.inputResponses, 'terms', decisionOf(tool))?.[tool] === true }
}

/** Returns a result that asks the client to show `message` to its user. */
export const ask = async (askState: AskState, message: string, state: Asked) =>
  inputRequired({
    inputRequests: { terms: inputRequired.elicit({ message, requestedSchema: decisionOf(state.tool) }) },
    requestState: await askState.mint(state),
  })
