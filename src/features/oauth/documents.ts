import { z } from 'zod'
import { scopes } from '../../domain/access/scopes.ts'
import { operation } from '../../operations/operation.ts'

const texts = z.array(z.string())

export const readAuthorizationServer = operation({
  name: 'readAuthorizationServer',
  summary: 'Metadata of the authorization server (RFC 8414).',
  caller: 'anyone',
  input: z.object({}),
  output: z.object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    registration_endpoint: z.string(),
    revocation_endpoint: z.string(),
    jwks_uri: z.string(),
    scopes_supported: texts,
    response_types_supported: texts,
    response_modes_supported: texts,
    grant_types_supported: texts,
    token_endpoint_auth_methods_supported: texts,
    revocation_endpoint_auth_methods_supported: texts,
    code_challenge_methods_supported: texts,
    authorization_response_iss_parameter_supported: z.boolean(),
    client_id_metadata_document_supported: z.boolean(),
    service_documentation: z.string(),
  }),

  run: async (_input, { settings: { publicUrl } }) => ({
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/app/connect`,
    token_endpoint: `${publicUrl}/oauth/token`,
    registration_endpoint: `${publicUrl}/oauth/register`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    jwks_uri: `${publicUrl}/.well-known/jwks.json`,
    scopes_supported: [...scopes],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${publicUrl}/reference`,
  }),
})

const resource = z.object({
  resource: z.string(),
  authorization_servers: texts,
  scopes_supported: texts,
  bearer_methods_supported: texts,
  resource_documentation: z.string(),
})
const toResource = (publicUrl: string, path: string) => ({
  resource: `${publicUrl}${path}`,
  authorization_servers: [publicUrl],
  scopes_supported: [...scopes],
  bearer_methods_supported: ['header'],
  resource_documentation: `${publicUrl}/reference`,
})

export const readProtectedResource = operation({
  name: 'readProtectedResource',
  summary: 'Metadata of the MCP endpoint as a protected resource (RFC 9728): which authorization server issues its tokens.',
  caller: 'anyone',
  input: z.object({}),
  output: resource,
  run: async (_input, { settings: { publicUrl } }) => toResource(publicUrl, '/mcp'),
})

export const readProtectedService = operation({
  name: 'readProtectedService',
  summary: 'Metadata of the whole service as a protected resource (RFC 9728).',
  caller: 'anyone',
  input: z.object({}),
  output: resource,
  run: async (_input, { settings: { publicUrl } }) => toResource(publicUrl, ''),
})
