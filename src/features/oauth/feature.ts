import { get, post, remove } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { answerProgram, readProgramRequest } from './authorize.ts'
import { registerClient } from './clients.ts'
import { readAuthorizationServer, readProtectedResource, readProtectedService } from './documents.ts'
import { exchangeToken } from './exchange.ts'
import { grantTable } from './grantTable.ts'
import { endProgram, listPrograms, revokeProgramToken } from './programs.ts'

/**
 * Sign-in of programs by OAuth 2.1: MCP clients such as Claude, and programs that call the API. A person lets a program in on
 * the page, within scopes. No scope contains the yes to a payment.
 */
export const oauth: Feature = {
  name: 'oauth',
  routes: [
    get('/.well-known/oauth-authorization-server', readAuthorizationServer),
    get('/.well-known/openid-configuration', readAuthorizationServer),
    get('/.well-known/oauth-protected-resource', readProtectedService),
    get('/.well-known/oauth-protected-resource/mcp', readProtectedResource),
    { ...post('/oauth/register', registerClient), status: 201, ignoresToken: true },
    get('/oauth/request', readProgramRequest),
    post('/oauth/answer', answerProgram),
    { ...post('/oauth/token', exchangeToken), takesForm: true, ignoresToken: true },
    { ...post('/oauth/revoke', revokeProgramToken), takesForm: true, ignoresToken: true },
    get('/v1/programs', listPrograms),
    remove('/v1/programs/{program_id}', endProgram),
  ],
  tables: [grantTable],
}
