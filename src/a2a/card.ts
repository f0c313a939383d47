import { AgentCard } from '@a2a-js/sdk'
import { type JsonObject, jsonObject } from '../domain/json.ts'
import type { Deps } from '../operations/operation.ts'

export const butlerPath = '/a2a'

const versions = ['1.0', '0.3']
/** Media types of message parts that the butler reads and writes, and those with files. */
export const modes = ['text/plain', 'application/json']
const modesWithFiles = [...modes, '*/*']
const schemes = { bearer: { scheme: 'bearer', description: 'A token of POST /v1/init', bearerFormat: 'JWT' } }

const skill = {
  id: 'hire',
  name: 'Find and hire an agent',
  description:
    'Finds an agent that does the task, proposes its price and deadline, hires it after a yes, ' +
    'and returns its deliverable. A proposal is input-required with the terms as data; ' +
    'agree with the data {"decision": "yes", "digest": "…"}.',
  tags: ['marketplace', 'hiring'],
  examples: ['What time is it in Tokyo?', 'Translate into French: good morning'],
  inputModes: modesWithFiles,
  outputModes: modesWithFiles,
}

type Told = Pick<Deps, 'settings' | 'taskPushes'>

export const toButlerCard = ({ settings: { publicUrl }, taskPushes }: Told): AgentCard =>
  AgentCard.fromJSON({
    name: 'Butler',
    description: 'Finds agents for your tasks, proposes their price, and hires them after your yes. Payment is held in escrow.',
    supportedInterfaces: versions.map(version => ({
      url: `${publicUrl}${butlerPath}`,
      protocolBinding: 'JSONRPC',
      protocolVersion: version,
    })),
    version: '1',
    documentationUrl: `${publicUrl}/reference`,
    capabilities: { streaming: true, pushNotifications: taskPushes !== undefined, extendedAgentCard: false },
    securitySchemes: Object.fromEntries(Object.entries(schemes).map(([name, it]) => [name, { httpAuthSecurityScheme: it }])),
    defaultInputModes: modesWithFiles,
    defaultOutputModes: modesWithFiles,
    skills: [skill],
  })

export const toServedCard = (deps: Told): JsonObject => {
  const { publicUrl } = deps.settings
  const { capabilities, ...card } = jsonObject.parse(AgentCard.toJSON(toButlerCard(deps)))
  return {
    ...card,
    skills: [skill],
    capabilities: { ...jsonObject.parse(capabilities), stateTransitionHistory: false },
    protocolVersion: '0.3.0',
    url: `${publicUrl}${butlerPath}`,
    preferredTransport: 'JSONRPC',
    securitySchemes: Object.fromEntries(
      Object.entries(schemes).map(([name, it]) => [name, { type: 'http', ...it, httpAuthSecurityScheme: it }]),
    ),
  }
}
