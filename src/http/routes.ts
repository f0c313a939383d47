import { limits } from '../domain/limits.ts'
import { deleteOwn, exportOwn, listAccountEvents, listUserRuns } from '../operations/accounts/ownRecords.ts'
import { listUsers, refuseKey, registerUser } from '../operations/accounts/users.ts'
import { listMyAgents, listUserAgents } from '../operations/agents/listUserAgents.ts'
import { listPricing, readPricing, updatePricing } from '../operations/agents/pricing.ts'
import { listAgents, readAgent } from '../operations/agents/readAgents.ts'
import { registerAgent } from '../operations/agents/registerAgent.ts'
import { registerGroup } from '../operations/agents/registerGroup.ts'
import { readRegistrationFile, readRegistrations } from '../operations/agents/registrationFile.ts'
import { listResources, readResource } from '../operations/agents/resources.ts'
import { retireAgent, updateAgent } from '../operations/agents/updateAgent.ts'
import { openAsDemo, readApproval, requestApproval } from '../operations/approvals/approvals.ts'
import { activateButler, readButler, readButlerStats } from '../operations/butler/butler.ts'
import { deleteConversation, listConversations, readHistory, renameConversation } from '../operations/butler/conversations.ts'
import { diagnoseAgent } from '../operations/diagnosis/diagnoseAgent.ts'
import { listFeedback, readFeedback } from '../operations/feedback/feedback.ts'
import { linkFile } from '../operations/files/fileLinks.ts'
import { keepFile, listFiles, readFile, readFileRecord, removeFile } from '../operations/files/ownFiles.ts'
import { completeJob } from '../operations/gateway/completeJob.ts'
import { issueSecret, revokeSecret, setGatewayMode } from '../operations/gateway/credentials.ts'
import { listGatewayAgents, readAgentCard, readGatewayAgent, readGatewayHealth } from '../operations/gateway/gatewayAgents.ts'
import { heartbeat, joinExternally, joinGateway, leaveGateway } from '../operations/gateway/joinGateway.ts'
import { keepJobFile } from '../operations/gateway/keepJobFile.ts'
import { pollJob } from '../operations/gateway/pollJob.ts'
import { relay } from '../operations/gateway/relay.ts'
import { reportProgress } from '../operations/gateway/reportProgress.ts'
import { completeTask } from '../operations/gateway/tasks/completeTask.ts'
import { pollTask } from '../operations/gateway/tasks/pollTask.ts'
import { cancelTask, readGatewayTask, readTaskResult, readTaskStatus, submitTask } from '../operations/gateway/tasks/tasks.ts'
import { cancelJob } from '../operations/hires/cancelJob.ts'
import { confirmHire } from '../operations/hires/confirmHire.ts'
import { proposeHire } from '../operations/hires/proposeHire.ts'
import { readYesLimit, setYesLimit } from '../operations/hires/yesLimit.ts'
import { approveAsDemo, approveAuthorization, readAuthorization } from '../operations/identity/approveAuthorization.ts'
import { readDidDocument, readSigningKeys } from '../operations/identity/readKeys.ts'
import { revokeTokens } from '../operations/identity/revokeTokens.ts'
import { setKeyMode } from '../operations/identity/setKeyMode.ts'
import { logIn, readAuthorizationStatus, startAuthorization } from '../operations/identity/signIn.ts'
import { listMyJobs, readJob } from '../operations/jobs/readJobs.ts'
import { createMandate } from '../operations/mandates/createMandate.ts'
import { listMandates, revokeMandate } from '../operations/mandates/mandates.ts'
import { setLearning } from '../operations/market/learning.ts'
import { listRankings } from '../operations/market/listRankings.ts'
import { listSuggestions } from '../operations/market/listSuggestions.ts'
import { readAgentEvents, readEarnings, readStats } from '../operations/market/readStats.ts'
import { searchOfferings } from '../operations/market/searchOfferings.ts'
import { listServices, readService } from '../operations/market/services.ts'
import { invoke } from '../operations/messages/invoke.ts'
import { readHealth, readLiveness } from '../operations/readHealth.ts'
import { appealRun } from '../operations/runs/appealRun.ts'
import { readPayments } from '../operations/runs/readPayments.ts'
import { readReceipt } from '../operations/runs/readReceipt.ts'
import { exportRun, readRun, readRunEvents } from '../operations/runs/readRun.ts'
import { beginUpload, giveUpUpload, goOnUpload, readUpload } from '../operations/uploads/uploads.ts'
import { callWallet } from '../operations/wallets/callWallet.ts'
import { readBalance, readWallet } from '../operations/wallets/readWallet.ts'
import { listWithdrawals, withdraw } from '../operations/withdrawals/withdraw.ts'
import {
  addWithdrawalAddress,
  listWithdrawalAddresses,
  removeWithdrawalAddress,
} from '../operations/withdrawals/withdrawalAddresses.ts'
import { deliver, get, patch, post, put, type Route, remove, say } from './route.ts'

/** The routes of the core. Features add theirs. The input of an operation combines path parameters, query parameters and body. */
export const coreRoutes: readonly Route[] = [
  get('/health', readHealth),
  get('/healthz', readHealth),
  get('/readyz', readHealth),
  get('/livez', readLiveness),
  // Registrations by a wallet's signature come without a token, with up to a hundred offerings.
  { ...post('/agents/register', registerAgent), bodyBytes: limits.messageBodyBytes },
  get('/agents', listAgents),
  get('/agents/handle/{agent}', readAgent),
  get('/agents/{agent}', readAgent),
  put('/agents/{agent}', updateAgent),
  get('/agents/{agent}/registration.json', readRegistrationFile),
  get('/agents/{agent}/.well-known/agent-card.json', readAgentCard),
  get('/agents/{agent}/resources', listResources),
  get('/agents/{agent}/resources/{resource_id}', readResource),
  get('/agents/{agent}/diagnosis', diagnoseAgent),
  get('/agents/{agent}/events', readAgentEvents),
  get('/agents/{agent}/earnings', readEarnings),
  get('/agents/{agent}/feedback', listFeedback),
  post('/agents/groups/register', registerGroup),
  get('/my-agents', listMyAgents),
  get('/users/{user_id}/agents', listUserAgents),
  post('/users/{user_id}/agents/register', registerAgent),
  remove('/users/{user_id}/agents/{agent}', retireAgent),
  get('/users/{user_id}/agents/{agent}/pricing', readPricing),
  put('/users/{user_id}/agents/{agent}/pricing', updatePricing),
  get('/pricing/agents', listPricing),
  get('/users/{user_id}/runs', listUserRuns),
  get('/accounts/users', listUsers),
  post('/accounts/users/register', registerUser),
  post('/accounts/users/register-with-key', refuseKey),
  get('/offerings/search', searchOfferings),
  get('/balances/{address}', readBalance),
  get('/suggestions', listSuggestions),
  get('/services', listServices),
  get('/services/{service_id}', readService),
  get('/rankings', listRankings),
  get('/stats/summary', readStats),
  get('/butler', readButler),
  get('/butler/stats', readButlerStats),
  post('/butler/activate', activateButler),
  post('/butler-v2/activate', activateButler),
  get('/conversations', listConversations),
  get('/conversations/{conversation_id}/history', readHistory),
  put('/conversations/{conversation_id}', renameConversation),
  remove('/conversations/{conversation_id}', deleteConversation),
  get('/v1/jobs/{job_id}', readJob),
  get('/my-jobs', listMyJobs),
  { ...say('/invoke', invoke), stream: 'ag-ui' },
  { ...say('/invoke/stream', invoke), stream: 'command-line' },
  say('/invoke/{agent}', invoke),
  { ...say('/invoke/{agent}/stream', invoke), stream: 'command-line' },
  { ...say('/runs/stream', invoke), stream: 'software-kit' },
  post('/v1/hires', proposeHire),
  post('/v1/hires/{run_id}/confirm', confirmHire),
  post('/v1/hires/{run_id}/cancel', cancelJob),
  get('/v1/hires/{run_id}/approval', readApproval),
  post('/v1/hires/{run_id}/approval', requestApproval),
  post('/v1/hires/{run_id}/approval/demo', openAsDemo),
  { ...post('/v1/mandates', createMandate), status: 201 },
  get('/v1/mandates', listMandates),
  remove('/v1/mandates/{mandate_id}', revokeMandate),
  { ...post('/v1/withdrawals', withdraw), status: 201 },
  get('/v1/withdrawals', listWithdrawals),
  get('/v1/withdrawal-addresses', listWithdrawalAddresses),
  { ...post('/v1/withdrawal-addresses', addWithdrawalAddress), status: 201 },
  remove('/v1/withdrawal-addresses/{address_id}', removeWithdrawalAddress),
  get('/v1/account-events', listAccountEvents),
  get('/v1/yes-limit', readYesLimit),
  put('/v1/yes-limit', setYesLimit),
  { ...post('/v1/files', keepFile), status: 201, takesFile: true },
  get('/v1/files', listFiles),
  { ...get('/v1/files/{file_id}', readFile), givesFile: true },
  get('/v1/files/{file_id}/record', readFileRecord),
  { ...post('/v1/files/{file_id}/link', linkFile), status: 201 },
  remove('/v1/files/{file_id}', removeFile),
  { ...post('/v1/uploads', beginUpload), status: 201, takesHeaders: { 'upload-length': 'bytes', 'upload-metadata': 'metadata' } },
  get('/v1/uploads/{upload_id}', readUpload),
  { ...patch('/v1/uploads/{upload_id}', goOnUpload), status: 204, takesFile: true, takesHeaders: { 'upload-offset': 'offset' } },
  { ...remove('/v1/uploads/{upload_id}', giveUpUpload), status: 204 },
  get('/jobs/{job_id}/feedback.json', readFeedback),
  post('/runs/{run_id}/appeal', appealRun),
  get('/runs/{run_id}', readRun),
  { ...get('/runs/{run_id}/events', readRunEvents), stream: 'events' },
  get('/runs/{run_id}/payments', readPayments),
  get('/runs/{run_id}/receipt', readReceipt),
  get('/runs/{run_id}/history', exportRun),

  get('/gateway/health', readGatewayHealth),
  get('/gateway/jobs/poll', pollJob),
  deliver('/gateway/jobs/complete', completeJob),
  post('/gateway/jobs/progress', reportProgress),
  { ...post('/gateway/jobs/{job_id}/files', keepJobFile), status: 201, takesFile: true },
  put('/agents/{agent}/gateway-mode', setGatewayMode),
  post('/agents/{agent}/secret', issueSecret),
  remove('/agents/{agent}/secret', revokeSecret),
  get('/gateway/tasks/poll', pollTask),
  deliver('/gateway/tasks/complete', completeTask),
  deliver('/gateway/tasks/submit', submitTask),
  get('/gateway/tasks/{task_id}', readGatewayTask),
  get('/gateway/tasks/{task_id}/status', readTaskStatus),
  get('/gateway/tasks/{task_id}/result', readTaskResult),
  post('/gateway/tasks/{task_id}/cancel', cancelTask),
  post('/gateway/register', joinGateway),
  remove('/gateway/unregister/{handle}', leaveGateway),
  get('/gateway/agents', listGatewayAgents),
  post('/gateway/agents/register-external', joinExternally),
  post('/gateway/agents/heartbeat', heartbeat),
  get('/gateway/agents/{agent}', readGatewayAgent),
  get('/gateway/agents/{agent}/card', readAgentCard),
  { ...deliver('/gateway/a2a/{agent}', relay), stream: 'a2a-method' },
  { ...deliver('/gateway/a2a/{agent}/stream', relay), stream: 'a2a' },

  post('/v1/init', startAuthorization),
  get('/v1/approve', readAuthorization),
  post('/v1/approve', approveAuthorization),
  post('/v1/approve/demo', approveAsDemo),
  get('/v1/status', readAuthorizationStatus),
  post('/v1/login', logIn),
  post('/v1/revoke', revokeTokens),
  post('/v1/key-mode', setKeyMode),
  post('/v1/learning', setLearning),
  get('/.well-known/jwks.json', readSigningKeys),
  get('/.well-known/did.json', readDidDocument),
  get('/.well-known/agent-registration.json', readRegistrations),
  get('/v1/own-records', exportOwn),
  post('/v1/own-records/delete', deleteOwn),
  get('/v1/wallets/me', readWallet),
  post('/v1/wallets/me/rpc', callWallet),
]
