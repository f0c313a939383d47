import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

/** What is carried from a question to its answer: signed, because the client could change it. */
const asked = z.object({
  tool: z.string(),
  /** What the user is asked to agree to. */
  input: z.record(z.string(), z.unknown()),
  /** One question has one effect, however often its answer is sent. */
  key: z.string(),
})
export type Asked = z.infer<typeof asked>
export type AskState = ReturnType<typeof createAskState>

/** A proposal lapses after fifteen minutes, and so does what was asked about it. */
const secondsToAnswer = 15 * 60

/** Signs what goes through the client. Each process has a key of its own: after a restart the question is asked again. */
export const createAskState = () => {
  const key = crypto.getRandomValues(new Uint8Array(32))
  return createRequestStateCodec<Asked>({ key, ttlSeconds: secondsToAnswer })
}

const clientCapabilities = 'io.modelcontextprotocol/clientCapabilities'
const capabilities = z.object({ elicitation: z.object({ form: z.unknown().optional(), url: z.unknown().optional() }) })
const envelope = z.object({ [clientCapabilities]: z.unknown().optional() })

/**
 * Whether the client shows questions to its user. A client of 2026 says so in each request; one of 2025 said so when it
 * connected, which a stateless server does not know.
 */
export const canAsk = (server: McpServer, { mcpReq }: ServerContext): boolean => {
  const said = envelope.safeParse(mcpReq.envelope)
  const able = capabilities.safeParse(said.success ? said.data[clientCapabilities] : server.server.getClientCapabilities())
  if (!able.success) return false
  const { form, url } = able.data.elicitation
  // An empty capability means forms.
  return form !== undefined || url === undefined
}

/** The form has one field, with the name of the tool. */
const decisionOf = (tool: string) => z.object({ [tool]: z.boolean().describe('Yes, on these terms') })

/** The question of this tool that the request answers, and whether the user said yes. One who closed it said no. */
export const answerOf = (tool: string, { mcpReq }: ServerContext): { asked: Asked; isYes: boolean } | undefined => {
  const state = asked.safeParse(mcpReq.requestState())
  if (!state.success || state.data.tool !== tool) return undefined
  return { asked: state.data, isYes: acceptedContent(mcpReq.inputResponses, 'terms', decisionOf(tool))?.[tool] === true }
}

/** Shows a question to the user through the client. */
export const ask = async (askState: AskState, message: string, state: Asked) =>
  inputRequired({
    inputRequests: { terms: inputRequired.elicit({ message, requestedSchema: decisionOf(state.tool) }) },
    requestState: await askState.mint(state),
  })
