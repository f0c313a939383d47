import { approveAsDemo, approveAuthorization, readAuthorization } from '../operations/approveAuthorization.ts'
import { callWallet } from '../operations/callWallet.ts'
import { cancelJob } from '../operations/cancelJob.ts'
import { completeJob } from '../operations/completeJob.ts'
import { confirmHire } from '../operations/confirmHire.ts'
import { invoke } from '../operations/invoke.ts'
import { listAgents } from '../operations/listAgents.ts'
import { logIn } from '../operations/logIn.ts'
import type { Operation } from '../operations/operation.ts'
import { pollJob } from '../operations/pollJob.ts'
import { proposeHire } from '../operations/proposeHire.ts'
import { readAgent } from '../operations/readAgent.ts'
import { readAuthorizationStatus } from '../operations/readAuthorizationStatus.ts'
import { readBalance } from '../operations/readBalance.ts'
import { readHealth } from '../operations/readHealth.ts'
import { readPayments } from '../operations/readPayments.ts'
import { readRun } from '../operations/readRun.ts'
import { readRunEvents } from '../operations/readRunEvents.ts'
import { readSigningKeys } from '../operations/readSigningKeys.ts'
import { readWallet } from '../operations/readWallet.ts'
import { registerAgent } from '../operations/registerAgent.ts'
import { revokeTokens } from '../operations/revokeTokens.ts'
import { searchOfferings } from '../operations/searchOfferings.ts'
import { setKeyMode } from '../operations/setKeyMode.ts'
import { startAuthorization } from '../operations/startAuthorization.ts'

export type Route = {
  method: 'get' | 'post' | 'put' | 'delete'
  path: string
  operation: Operation
  stream?: 'invoke' | 'events'
}

const get = (path: string, operation: Operation): Route => ({ method: 'get', path, operation })
const post = (path: string, operation: Operation): Route => ({ method: 'post', path, operation })

/** The whole surface on one page. Path members, query members and the body together are the operation's input. */
export const routes: readonly Route[] = [
  // platform
  get('/health', readHealth),
  get('/healthz', readHealth),
  post('/agents/register', registerAgent),
  get('/agents', listAgents),
  get('/agents/handle/{agent}', readAgent),
  get('/agents/{agent}', readAgent),
  get('/offerings/search', searchOfferings),
  get('/balances/{address}', readBalance),
  post('/invoke', invoke),
  { ...post('/invoke/stream', invoke), stream: 'invoke' },
  post('/v1/hires', proposeHire),
  post('/v1/hires/{run_id}/confirm', confirmHire),
  post('/v1/hires/{run_id}/cancel', cancelJob),
  get('/runs/{run_id}', readRun),
  { ...get('/runs/{run_id}/events', readRunEvents), stream: 'events' },
  get('/runs/{run_id}/payments', readPayments),

  // gateway
  get('/gateway/health', readHealth),
  get('/gateway/jobs/poll', pollJob),
  post('/gateway/jobs/complete', completeJob),

  // identity provider
  post('/v1/init', startAuthorization),
  get('/v1/approve', readAuthorization),
  post('/v1/approve', approveAuthorization),
  post('/v1/approve/demo', approveAsDemo),
  get('/v1/status', readAuthorizationStatus),
  post('/v1/login', logIn),
  post('/v1/revoke', revokeTokens),
  post('/v1/key-mode', setKeyMode),
  get('/.well-known/jwks.json', readSigningKeys),
  get('/v1/wallets/me', readWallet),
  post('/v1/wallets/me/rpc', callWallet),
]
