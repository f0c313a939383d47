import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
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
  /** Whether the question is a URL to open, where the user answers on the page. */
  byUrl: z.boolean(),
})
export type Asked = z.infer<typeof asked>
export type AskState = ReturnType<typeof createAskState>

/** In seconds. A proposal expires after fifteen minutes, so a question about it does as well. */
const secondsToAnswer = 15 * 60

/**
 * Creates the codec that signs question state. Processes with the same key take the answers to each other's questions; without
 * one the user is asked again after a restart.
 */
export const createAskState = (key: Uint8Array = crypto.getRandomValues(new Uint8Array(32))) =>
  createRequestStateCodec<Asked>({ key, ttlSeconds: secondsToAnswer })

export const clientCapabilities = 'io.modelcontextprotocol/clientCapabilities'
const capabilities = z.object({ elicitation: z.object({ form: z.unknown().optional(), url: z.unknown().optional() }) })
const envelope = z.object({ [clientCapabilities]: z.unknown().optional() })

/**
 * How the client can ask its user (MCP elicitation): by a form in the client, or else by a URL that it opens. A 2026 client
 * declares this in each request, and a 2025 client when it connects. Undefined for a client that cannot ask.
 */
export const wayToAsk = (server: McpServer, { mcpReq }: ServerContext): 'form' | 'url' | undefined => {
  const said = envelope.safeParse(mcpReq.envelope)
  const able = capabilities.safeParse(said.success ? said.data[clientCapabilities] : server.server.getClientCapabilities())
  if (!able.success) return undefined
  const { form, url } = able.data.elicitation
  // An empty elicitation capability means forms.
  return form !== undefined || url === undefined ? 'form' : 'url'
}

/** The form has one boolean field, named after the tool. */
const decisionOf = (tool: string) => z.object({ [tool]: z.boolean().describe('Yes, on these terms') })

export type Answered = { asked: Asked; isYes: boolean; isOpened: boolean }

/**
 * The question of this tool that the request answers, whether the user approved, and whether the user opened the URL of the
 * question. Closing the form counts as no. Undefined when the request answers no question of this tool.
 */
export const answerOf = (tool: string, { mcpReq }: ServerContext): Answered | undefined => {
  const state = asked.safeParse(mcpReq.requestState())
  if (!state.success || state.data.tool !== tool) return undefined
  const { byUrl } = state.data
  const said = inputResponse(mcpReq.inputResponses, 'terms')
  return {
    asked: state.data,
    // Who opens a URL has not agreed to anything yet.
    isYes: !byUrl && acceptedContent(mcpReq.inputResponses, 'terms', decisionOf(tool))?.[tool] === true,
    isOpened: byUrl && said.kind === 'elicit' && said.action === 'accept',
  }
}

/** The words that the user is shown, what the answer is for, and the URL where it is given instead of a form. */
export type Question = { words: string; asked: Omit<Asked, 'byUrl'>; url?: string | undefined }

/** Returns a result that asks the client to show the question to its user. */
export const ask = async (askState: AskState, { words: message, asked: it, url }: Question) =>
  inputRequired({
    inputRequests: {
      terms:
        url === undefined
          ? inputRequired.elicit({ message, requestedSchema: decisionOf(it.tool) })
          : inputRequired.elicitUrl({ message, url }),
    },
    requestState: await askState.mint({ ...it, byUrl: url !== undefined }),
  })
