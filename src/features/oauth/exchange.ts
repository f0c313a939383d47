import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { readScopes, type Scope } from '../../domain/access/scopes.ts'
import { dayMs, hourMs, secondMs } from '../../domain/durations.ts'
import type { Access } from '../../operations/identityParts.ts'
import { accessOf, type Deps, operation } from '../../operations/operation.ts'
import { accessRecord, oauthError } from '../../records/program.ts'
import { grantTables, type ProgramGrant } from './ports.ts'
import { endGrant } from './programs.ts'
import { asOauth, orRefusal, Refusal } from './refusal.ts'
import { makeSecret, readSecret } from './secrets.ts'

const accessMs = hourMs
/** A program that is not used for so long asks its user again. */
const refreshMs = 30 * dayMs

const parameter = z.string().max(4_000).optional().catch(undefined)
const request = z.object({
  grant_type: parameter,
  code: parameter,
  redirect_uri: parameter,
  client_id: parameter,
  code_verifier: parameter,
  refresh_token: parameter,
  scope: parameter,
  resource: parameter,
})
type Request = z.infer<typeof request>

/**
 * The token endpoint (RFC 6749, section 3.2). Codes and refresh tokens are used once. A second use ends the grant, because one
 * of the two who used it has stolen it (OAuth 2.1, section 4.3.1).
 */
export const exchangeToken = operation({
  name: 'exchangeToken',
  summary: 'Get a token for a code (with its PKCE verifier), or for a refresh token. The answer has the next refresh token.',
  caller: 'anyone',
  input: request,
  output: z.union([accessRecord, oauthError]),
  refusal: oauthError,
  responseOf: asOauth,

  run: (asked, deps) =>
    orRefusal(async () => {
      if (asked.grant_type === 'authorization_code') return byCode(asked, deps)
      if (asked.grant_type === 'refresh_token') return byRefresh(asked, deps)
      throw new Refusal('unsupported_grant_type', 'The grant types are authorization_code and refresh_token.')
    }),
})

const over = (what: string) =>
  new Refusal('invalid_grant', `The ${what} is not valid, was used before, or has ended: sign in again.`)

const byCode = async (asked: Request, deps: Deps) => {
  const access = accessOf(deps)
  const found = await find(deps, readSecret(access, 'oauth-code', asked.code))
  if (!found) throw over('code')
  const { grant, hash } = found
  if (asked.client_id !== grant.clientId) throw new Refusal('invalid_grant', 'The code belongs to another program.')
  // A program with one redirect address may leave it out in both requests.
  if (asked.redirect_uri !== undefined && asked.redirect_uri !== grant.redirectUri)
    throw new Refusal('invalid_grant', 'The redirect_uri is not that of the authorization request.')
  checkResource(asked, grant)
  if (!isVerifier(asked.code_verifier ?? '', grant.codeChallenge))
    throw new Refusal('invalid_grant', 'The code_verifier does not fit the code_challenge.')
  const next = nextRefresh(access, grant.id, deps)
  if (!(await grantTables(deps.store).useCode(grant.id, hash, next))) {
    await endGrant(deps, grant)
    throw over('code')
  }
  return issue(deps, { grant, scopes: grant.scopes, refreshToken: next.secret })
}

const byRefresh = async (asked: Request, deps: Deps) => {
  const access = accessOf(deps)
  const found = await find(deps, readSecret(access, 'oauth-refresh', asked.refresh_token))
  if (!found) throw over('refresh token')
  const { grant, hash } = found
  if (asked.client_id !== undefined && asked.client_id !== grant.clientId)
    throw new Refusal('invalid_grant', 'The refresh token belongs to another program.')
  checkResource(asked, grant)
  const scopes = asked.scope === undefined ? grant.scopes : readScopes(asked.scope)
  if (scopes.length === 0 || scopes.some(it => !grant.scopes.includes(it)))
    throw new Refusal('invalid_scope', `The user allowed: ${grant.scopes.join(' ')}.`)
  const next = nextRefresh(access, grant.id, deps)
  if (!(await grantTables(deps.store).useRefresh(grant.id, hash, next))) {
    await endGrant(deps, grant)
    throw over('refresh token')
  }
  return issue(deps, { grant, scopes, refreshToken: next.secret })
}

/** The grant of a secret. All of a wallet's grants end when its user revokes all tokens. */
const find = async (deps: Deps, secret: { grantId: string; hash: string } | undefined) => {
  const grant = secret && (await grantTables(deps.store).grant(secret.grantId))
  if (!secret || !grant || grant.endedAt !== undefined) return undefined
  if (!(await accessOf(deps).wereRevoked(grant.wallet, grant.createdAt))) return { grant, hash: secret.hash }
  await endGrant(deps, grant)
  return undefined
}

const checkResource = ({ resource }: Request, grant: ProgramGrant) => {
  if (resource !== undefined && resource.replace(/\/+$/, '') !== grant.resource)
    throw new Refusal('invalid_target', `The user allowed tokens for ${grant.resource}.`)
}

/** PKCE with S256 (RFC 7636, section 4.6). */
const isVerifier = (verifier: string, challenge: string): boolean => {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const digest = createHash('sha256').update(verifier).digest('base64url')
  return timingSafeEqual(Buffer.from(digest), Buffer.from(challenge))
}

const nextRefresh = (access: Access, grantId: string, { clock }: Deps) => {
  const { secret, hash: refreshHash } = makeSecret(access, 'oauth-refresh', grantId)
  return { secret, refreshHash, refreshUntil: clock.now() + refreshMs }
}

type Issuing = { grant: ProgramGrant; scopes: readonly Scope[]; refreshToken: string }
const issue = async (deps: Deps, { grant, scopes, refreshToken }: Issuing) => {
  const { id, wallet, clientId, resource } = grant
  const { token } = await accessOf(deps).issueToProgram(wallet, { id, clientId, scopes, resource }, accessMs)
  return {
    access_token: token,
    token_type: 'Bearer' as const,
    expires_in: accessMs / secondMs,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
}
