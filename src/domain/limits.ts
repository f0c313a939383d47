import { dayMs, hourMs, minuteMs } from './durations.ts'

const kib = 1024

/** All limits of the service, with the unit in the name and the reason in the comment. */
export const limits = {
  /** A request body. The largest valid one contains files of 1 MiB as base64. */
  bodyBytes: 1536 * kib,
  /** A request body of a caller without a credential. A route that takes more of anybody says so in `routes.ts`. */
  strangerBodyBytes: 64 * kib,
  /** The same for a route that takes a message or a registration. */
  messageBodyBytes: 256 * kib,
  /** A deliverable. It is read by people and validated by schemas; files should be linked. */
  deliverableBytes: 256 * kib,
  /** A result of an MCP tool as JSON text, because it uses a model's context. */
  toolAnswerChars: 8_000,
  /**
   * Sessions of MCP clients that ask their user: in total, of one user, and how long an idle one is kept. Each has about 70 KB.
   */
  mcpSessions: 300,
  mcpSessionsOfUser: 5,
  mcpSessionMs: 60 * minuteMs,
  /** Requests of one such session at once, each of which may wait for its user. */
  mcpRequestsOfSession: 5,
  /** How long a tool waits for the user between two messages about its progress. */
  mcpProgressMs: 3_000,
  messageChars: 32 * kib,
  /** A search of the market without a credential: some fifty words. Each sentence of a longer one is searched for. */
  strangerSearchChars: 300,
  /** User messages in one run. Each costs model calls; after that the user must start again. */
  turns: 30,
  /** The title of a conversation in lists: the beginning of its first message. */
  titleChars: 200,
  lastMessageChars: 500,
  /** Offerings of one agent. More should be split among several agents. */
  offerings: 100,
  /** A description, which is indexed and displayed. */
  descriptionChars: 8 * kib,
  nameChars: 200,
  /** Example requests of an offering, and their length: a sentence or two each. */
  examples: 10,
  exampleChars: 300,
  /** Tags of an offering: a few words that say what kind of work it is. */
  tags: 8,
  tagChars: 40,
  /** The deliverable that an offering shows as a sample: a small picture or a page of text. Lists contain it. */
  sampleChars: 8 * kib,
  /** Metadata that clients add to a record, as JSON text. */
  metadataBytes: 8 * kib,
  /** A registration with its offerings as JSON text, because lists contain many. */
  cardBytes: 64 * kib,
  /** Deliverables up to this length are included in lists. A longer one is read by its own URL. */
  listedDeliverableChars: 2 * kib,
  /** Deliverables up to this length are shown at once. The page fetches a longer one when its user asks for it. */
  shownDeliverableChars: 20 * kib,
  /** Stored posted jobs of one wallet, and of one network address. */
  postedJobs: 100,
  postedJobsOfAddress: 200,
  /** Stored posted jobs in total, of clients with a token and without one, and how long a job stays open without one. */
  postedJobsWithToken: 5_000,
  postedJobsWithoutToken: 2_000,
  openWithoutTokenMs: dayMs,
  /** Posted jobs in a user's list in which other clients named the user as evaluator. */
  postedJobsNamingEvaluator: 100,
  /** Groups of one wallet or network address, and of all callers without a token. */
  groups: 50,
  groupsOfStrangers: 1_000,
  /** How long an ended posted job and a test job are kept, and a run or group without an owner since its last change. */
  ownerlessKeepMs: dayMs,
  /** How long the answer of a request with an idempotency key is kept. Clients repeat a request within days at most. */
  answerKeepMs: 30 * dayMs,
  handleChars: 64,
  /** A requirement or deliverable schema as JSON text. */
  schemaBytes: 16 * kib,
  schemaDepth: 8,
  schemaNodes: 256,
  schemaProperties: 64,
  /** Steps in which a value is checked by a schema. Each part of a schema may meet each value, so both sizes multiply. */
  checkSteps: 200_000,
  /** Nesting levels of a value. Deeper values are refused before recursive code reads them, to protect the call stack. */
  jsonDepth: 64,
  /** Values in one input, all of which are checked. A hundred offerings with their schemas have about a third of this. */
  jsonValues: 20_000,
  /** The longest promised turnaround: thirty days. */
  slaMinutes: 30 * 24 * 60,
  /** The longest wait of an empty poll. Proxies close idle requests after 30 s. */
  pollWaitMs: 25_000,
  /** Polls per second of one agent. An agent polls every three seconds and may have fifty workers. */
  pollsPerSecond: 200,
  /** A call of an agent's own endpoint, from connecting to the last byte. */
  callMs: 10_000,
  /** The response to such a call. */
  callBytes: 1024 * kib,
  /** Calls of an agent's own endpoint for one job until it is submitted. A revision gets as many calls again. */
  pushes: 5,
  /** Concurrent calls of one process to one agent, and to all agents of one owner. */
  pushesOfAgentAtOnce: 4,
  pushesOfOwnerAtOnce: 4,
  /** Concurrent calls of one process in all. Each waits for an agent, up to `callMs`, and may answer with `callBytes`. */
  pushesAtOnce: 64,
  /** Those of them for free jobs, in all and to the agents of one owner: a job that costs nothing may hang on purpose. */
  freePushesAtOnce: 32,
  freePushesOfOwnerAtOnce: 2,
  progressChars: 300,
  progressTexts: 50,
  /** A task or its result as JSON text: an A2A message with its history. */
  taskBytes: 512 * kib,
  /** How long a test job may take, however long the promise is, because its owner waits for it. */
  testJobMs: 10 * minuteMs,
  /** Test jobs of one owner under way, and in 24 hours. */
  testJobsUnderWay: 5,
  testJobsADay: 200,
  /** Stored test jobs of all owners; a new one replaces the oldest. Each has up to 100 KiB. They are kept for a day. */
  testJobs: 2_000,
  /** Waiting tasks of one agent. Further tasks are refused. */
  waitingTasks: 100,
  /** The lease of a task, and how long a task waits for its agent: existing clients give up after 300 s. */
  taskLeaseMs: minuteMs,
  taskMs: 10 * minuteMs,
  /** How long an ended task can be read. */
  taskKeepMs: dayMs,
  /** Concurrent calls to agents' own endpoints that users cause without a hire: per host, per owner, and in total. */
  directCallsOfHost: 4,
  directCallsOfOwner: 8,
  directCalls: 50,
  /** How long a relayed call waits for the agent. After that the response names the task to read. */
  relayWaitMs: 25_000,
  /** Agents whose last poll and credential are kept in memory. */
  presences: 100_000,
  /** Agents that joined the gateway without a registration. */
  externalAgents: 10_000,
  /** How long POST /invoke waits for a running job. After that the response names the run to read. */
  invokeWaitMs: 45_000,
  /** Agents of one wallet that were registered by bare signature, which can be replayed like a password. */
  keyAgents: 5,
  keyAgentsADay: 3,
  /** Agents per day that one network address registers by bare signature. */
  keyAgentsOfAddressADay: 10,
  /** Both limits on the embedded chain, where gas is free and many developers may share one address. */
  freeKeyAgents: 500,
  freeKeyAgentsOfAddressADay: 2_000,
  /** Concurrent registrations of one wallet: as many as the treasury's transactions in flight. */
  registrationsAtOnce: 16,
  /** Registrations that wait for their turn, each with a body of up to 1.5 MiB. */
  registrationsWaiting: 2_000,
  /** New agents per day of one wallet on a public chain, whatever its credential, because the treasury pays for each identity. */
  publicAgentsADay: 20,
  /** Gas per day that the treasury spends for one wallet on a public chain: about a hundred hires. */
  gasOfWalletADay: 100_000_000,
  /** A text that a custodial wallet signs for its owner. */
  signedTextChars: 1000,
  registerWaitMs: 30_000,
  /** Attempts to deliver one job, including expired leases and revisions. */
  attempts: 3,
  /** Quotes of one user for tokens that wait for a yes. */
  openQuotes: 20,
  /** Slippage that a trade accepts in basis points: by default, and the most. More would invite front-running. */
  slippageBps: 100,
  maxSlippageBps: 2_000,
  /** How long a quote can be accepted and its trade be mined, in seconds: by default, at least and at most. */
  quoteSeconds: 300,
  minQuoteSeconds: 30,
  maxQuoteSeconds: 3_600,
  candles: 200,
  candleTrades: 20_000,
  /** How long a launch or a trade waits for its transaction before it is answered as pending. */
  tokenWaitMs: 10_000,
  appealChars: 2000,
  appealMs: 7 * dayMs,
  proposalMs: 15 * minuteMs,
  /** A text in the history of a run: as long as a message. */
  historyTextChars: 32 * kib,
  /** One recorded call in the history of a run, as JSON text. The largest is a search result with 24 listings. */
  historyCallBytes: 256 * kib,
  /** The calls in the history of a run, and their JSON text. A hire has about 40 calls with 25 KiB. */
  historyCalls: 2_000,
  historyBytes: 2 * 1024 * kib,
  /** How long the history of a run is kept since its last step. */
  historyKeepMs: 7 * dayMs,
  /** The newest runs of a user whose history is kept, and the newest runs of all users. */
  historyRuns: 100,
  historyRunsOfAll: 10_000,
  /** Questions to the user in one message: one form for all that a hire needs, unless it needs very much. */
  questionsAtOnce: 8,
  /** Phrases that a proposal says it leaves out. More would hide the terms. */
  leftOut: 6,
  /** Sign-in links that are e-mailed within an hour: to one address, and in all. */
  emailLinks: 5,
  emailLinksOfAll: 300,
  /** Characters of one part of a message that is named as not read. */
  unreadChars: 400,
  /** Browsers of one user that are told of ends, and of all users; a new one of the user replaces the oldest. */
  noticeDevices: 8,
  noticeDevicesOfAll: 20_000,
  /** Addresses that a task of A2A is told to, those of one user, and all of them. */
  taskPushes: 5,
  taskPushesOfUser: 100,
  taskPushesOfAll: 20_000,
  /** Searches of one user that wait for an offering, of all users, and the length of one. */
  savedSearches: 10,
  savedSearchesOfAll: 5_000,
  savedSearchChars: 300,
  sharedResults: 200,
  /** One file, unless a setting says otherwise: most office files and photographs. */
  fileBytes: 25 * 1024 * kib,
  /** Files that one user keeps, in number and bytes. Those that no job refers to make room for new ones. */
  filesOfUser: 200,
  fileBytesOfUser: 1024 * 1024 * kib,
  /** Files whose bytes stand in a message or an A2A task, together. Larger ones are uploaded, or have an address. */
  inlineFileBytes: 1024 * kib,
  /** Files whose bytes stand in a result of an MCP tool, together, because a model may read them. */
  toolFileBytes: 4 * kib,
  /** Uploads in parts that one user has begun, the parts of one, and how long a begun one waits for its next part. */
  fileUploadsOfUser: 20,
  filePartsOfUpload: 2_000,
  fileUploadMs: dayMs,
  /** Files that an agent uploads for one job, in number and bytes. */
  filesOfJob: 20,
  fileBytesOfJob: 256 * 1024 * kib,
  /** How long a file is kept to which no job refers, and how long an address of a file works. */
  fileKeepMs: 7 * dayMs,
  fileLinkMs: 5 * minuteMs,
  /** How long a file stays in any case, also where the disk is full: its uploader is about to name it in a task. */
  fileRestMs: hourMs,
  /** The age from which a draft of a file belongs to nobody: no upload takes as long. */
  fileDraftMs: 120 * minuteMs,
  /** Uploads and downloads under way of one user, agent or address, and those of all. Each has about 300 KB in memory. */
  fileTransfersOfOne: 6,
  fileTransfers: 200,
  /** Free space that uploads leave on the disk, which the database needs too. */
  fileSpareBytes: 512 * 1024 * kib,
  /** Agents that one user marked as favourites or blocked. */
  agentMarks: 500,
  /** Reports of one user, of all users, and the words of one. */
  agentReports: 50,
  agentReportsOfAll: 20_000,
  agentReportChars: 500,
  heartbeatMs: 10_000,
  /** Concurrent event streams of one user, or of one address without a token. */
  streams: 5,
  /** Concurrent event streams of one network address, which several users may share. Ten addresses can use up the total. */
  streamsOfAddress: 50,
  /** Concurrent event streams in total. Each costs a connection and about 100 KB. */
  streamsOfAll: 500,
  /** Connections of one process for statements. A machine with few cores gains nothing from more. */
  databaseConnections: 10,
  /** How long a stream's client may read nothing before its connection is closed, because unread events occupy memory. */
  stalledMs: 30_000,
  /** How long a client may take to send a request. A slower one gets 408, so that it cannot hold a connection. */
  requestMs: minuteMs,
  /** A body that announces its length has more time, at this pace: a file of 25 MB may take fourteen minutes. */
  bodyBytesASecond: 32 * kib,
  /** Requests that wait for their turn, per network address and in total. Each costs a connection and about 20 KB. */
  waitingRequestsOfAddress: 250,
  waitingRequests: 1_000,
  /** Event loop time charged for a message and for a registration, because most of their work happens after the response. */
  messageWorkMs: 100,
  registrationWorkMs: 50,
  /** Open runs of one user: working, or waiting for an answer that may still come. */
  openRuns: 100,
  /** Running runs without a token: per network address, in total, and advanced concurrently. */
  anonymousRunsOfAddress: 20,
  anonymousRuns: 100,
  anonymousRunsAtOnce: 4,
  /** Paid calls (x402) in progress, per payer and in total. Each occupies an open request. Shares: `paidCallShares.ts`. */
  paidCallsOfPayer: 300,
  paidCalls: 2_000,
  /** Paid calls of one payer in 24 hours whose work was done and whose payment then failed. The agents worked for nothing. */
  unpaidCallsADay: 5,
  /** Time limit of one request to a resource that a user buys. A seller may work before it answers. */
  resourceMs: minuteMs,
  /** Maximum size of a paid answer that is kept, and of the parts in which it is stored. Two parts of an answer are in memory. */
  resourceBytes: 8 * 1024 * kib,
  resourcePartBytes: 256 * kib,
  /** Kept long answers of one user and of all users. Before the next payment there must be space for its answer. */
  resourceBytesOfUser: 256 * 1024 * kib,
  resourceBytesOfAll: 8 * 1024 * 1024 * kib,
  /** How long a paid answer above 256 KiB can be read. Its beginning is kept as long as the purchase. */
  resourceKeepMs: 7 * dayMs,
  /** Time after which another process may check a purchase. Its request takes at most `resourceMs`. */
  purchaseLeaseMs: 2 * minuteMs,
  /** Running purchases of one user, and purchases within 24 hours. Each stores an answer of up to 256 KiB. */
  purchasesUnderWay: 20,
  purchasesADay: 200,
  /** Concurrent price requests to resources of one user, and the maximum of waiting ones of all users. */
  quotesAtOnce: 4,
  quotesWaiting: 50,
  /** Rows of a page of a catalogue of other services, and the rows of one catalogue that are kept. */
  catalogueRows: 50,
  catalogueListings: 5_000,
  /** Checks of listed resources: a minute in all (by default) and of one host, at once, and the ms that one may take. */
  probesAMinute: 600,
  probesOfHostAMinute: 20,
  probesAtOnce: 32,
  probeMs: 10_000,
  /** Offerings per page in the list of x402 offerings, because each contains its schemas. */
  soldRows: 100,
  mandates: 20,
  mandateCategories: 20,
  /** Withdrawals per 24 hours of one custodial wallet, because the treasury pays the gas. */
  withdrawalsADay: 20,
  /** Withdrawal addresses of one user, with those removed in the last 30 days. */
  withdrawalAddresses: 20,
  /** How long an amount is reserved for a hire under a mandate. It is released if the job was not opened by then. */
  reservedMs: 5 * minuteMs,
  /** Maximum agents that one list is filtered by. Databases limit the placeholders of a statement. */
  filteredAgents: 1_000,
  pageRows: 500,
  /** Transactions of one wallet in flight. Geth guarantees 16 executable slots per account. */
  inFlight: 16,
} as const
