import { z } from 'zod'
import { scope } from '../domain/access/scopes.ts'

/** An error of OAuth (RFC 6749, section 5.2). */
export const oauthError = z.object({ error: z.string(), error_description: z.string() })
export type OauthError = z.infer<typeof oauthError>

/** What a person reads before they let a program in. */
export const programRequest = z.object({
  client_name: z.string().optional().describe("The program's own name for itself"),
  redirect_host: z.string().optional().describe('Where the answer goes'),
  scopes: z.array(z.object({ scope, sentence: z.string() })).default([]),
  /** Present when nothing is to be asked: the program gets this answer. */
  redirect_to: z.string().optional().describe('Present when the request is not valid: the address with the error'),
})
export type ProgramRequest = z.infer<typeof programRequest>

/** A program that may act for its user. */
export const programRecord = z.object({
  program_id: z.string(),
  name: z.string(),
  redirect_host: z.string(),
  scopes: z.array(z.object({ scope, sentence: z.string() })),
  since: z.string(),
  last_used: z.string().describe('To the hour'),
})
export type ProgramRecord = z.infer<typeof programRecord>

/** Client metadata (RFC 7591, section 2). */
export const clientRecord = z.object({
  client_id: z.string(),
  client_id_issued_at: z.number(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.literal('none'),
  scope: z.string(),
})

/** The answer of the token endpoint (RFC 6749, section 5.1). */
export const accessRecord = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number(),
  refresh_token: z.string(),
  scope: z.string(),
})
