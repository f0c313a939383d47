import { dayMs, minuteMs } from './durations.ts'

const kib = 1024

/** Every bound of the service, with its unit in the name and its reason beside it. */
export const limits = {
  /** One request body; the largest legitimate one carries a deliverable of 256 KiB as escaped JSON. */
  bodyBytes: 1024 * kib,
  /** Deliverables are read by people and schemas; files belong behind a link. */
  deliverableBytes: 256 * kib,
  /** One answer of an MCP tool as JSON text: it takes that much of a model's context. */
  toolAnswerChars: 8_000,
  /** A task in plain words. */
  messageChars: 32 * kib,
  /** What a user says in one run: each turn costs questions to a model, and whoever has not agreed by then begins anew. */
  turns: 30,
  /** What a conversation is called in a list: the beginning of its first message. */
  titleChars: 200,
  /** The beginning of its newest message, in the same list. */
  lastMessageChars: 500,
  /** Offerings of one agent: more belong to a second agent. */
  offerings: 100,
  /** Texts that are indexed and shown. */
  descriptionChars: 8 * kib,
  nameChars: 200,
  /** Requests that an offering gives as examples: ten show its kinds, and each is a sentence or two. */
  examples: 10,
  exampleChars: 300,
  /** Tags of an offering: a few words that say what kind of work it is. */
  tags: 8,
  tagChars: 40,
  /** The deliverable that an offering shows as a sample: a small picture or a page of text. Lists carry it. */
  sampleChars: 8 * kib,
  /** What a program adds to a record of its own accord, as JSON text. */
  metadataBytes: 8 * kib,
  /** A registration as JSON text, with its offerings: lists show many of them at once. */
  cardBytes: 64 * kib,
  /** Deliverables up to this length are part of a list; a longer one is read at its own address. */
  listedDeliverableChars: 2 * kib,
  /** Deliverables up to this length are shown at once; a page fetches a longer one when its user asks for it. */
  shownDeliverableChars: 20 * kib,
  /** Posted jobs of one wallet, and of one network address. */
  postings: 100,
  postingsOfAddress: 200,
  /** Posted jobs whose client proved no wallet, in all, and how long one is open. */
  postingsOfStrangers: 2_000,
  strangersPostingMs: dayMs,
  /** Posted jobs whose client proved a wallet, in all. */
  postingsOfUsers: 5_000,
  /** Posted jobs of others that name a user as evaluator, in the list of that user. */
  namedPostings: 100,
  /** Groups of one wallet or network address, and those of strangers in all. */
  groups: 50,
  groupsOfStrangers: 1_000,
  /** How long a posted job is kept after its end, and a run or group that belongs to nobody after its last change. */
  strangersKeepMs: dayMs,
  handleChars: 64,
  /** A requirement or deliverable schema as JSON text. */
  schemaBytes: 16 * kib,
  schemaDepth: 8,
  schemaNodes: 256,
  schemaProperties: 64,
  /** Values nested deeper are refused before anything walks them: a stack has an end. */
  jsonDepth: 64,
  /** Values in one input, which all checks walk; a hundred offerings with their schemas are a third of it. */
  jsonValues: 20_000,
  /** A promise longer than thirty days is no promise. */
  slaMinutes: 30 * 24 * 60,
  /** The gateway holds an empty poll at most this long; proxies cut idle requests at 30 s. */
  pollWaitMs: 25_000,
  /** Polls of one agent in a second: an agent asks every three seconds, fifty of its workers at once are many. */
  pollsPerSecond: 200,
  /** One call of an agent at its own address, from the first byte to the last. */
  callMs: 10_000,
  /** What an agent may answer to it. */
  callBytes: 1024 * kib,
  /** Calls of one job at its agent's own address, until it is handed in; what is sent back is called for as often again. */
  pushes: 5,
  /** Calls of one agent, and of all agents of one owner, that one process makes at the same time. */
  pushesOfAgentAtOnce: 4,
  pushesOfOwnerAtOnce: 4,
  /** A task or its result as JSON text: an A2A message with its history. */
  taskBytes: 512 * kib,
  /** Tasks of one agent that wait; more are refused. */
  waitingTasks: 100,
  /** How long an agent holds a task, and how long one waits for its agent: existing clients give up after 300 s. */
  taskLeaseMs: minuteMs,
  taskMs: 10 * minuteMs,
  /** Ended tasks are kept so long for whoever asks. */
  taskKeepMs: dayMs,
  /** Messages of strangers that are sent to agents' own addresses at once: to one host, to the agents of one owner, and in all. */
  directCallsOfHost: 4,
  directCallsOfOwner: 8,
  directCalls: 50,
  /** A call relayed to an agent waits this long, then says under which task to look. */
  relayWaitMs: 25_000,
  /** Agents whose last sign of life, or whose credential, is kept in memory. */
  presences: 100_000,
  /** Agents that joined the gateway without being registered. */
  externalAgents: 10_000,
  /** POST /invoke waits this long for a running job, then says where to look. */
  invokeWaitMs: 45_000,
  /** Agents of one wallet by bare signature: that signature is a password that travels with every registration. */
  keyAgents: 5,
  keyAgentsADay: 3,
  /** The same, of one network address in a day. */
  keyAgentsOfAddressADay: 10,
  /** The same two on the embedded chain, where gas costs nothing and many developers try things out behind one address. */
  freeKeyAgents: 500,
  freeKeyAgentsOfAddressADay: 2_000,
  /** Registrations of one wallet under way at once: as many transactions as the treasury has in flight. */
  registrationsAtOnce: 16,
  /** Registrations that wait for their turn, each with its body of at most 1 MiB. */
  registrationsWaiting: 2_000,
  /** New agents of one wallet in a day on a public chain, whatever its credential: the treasury pays for each identity. */
  publicAgentsADay: 20,
  /** Gas that the treasury spends in a day for one wallet on a public chain; about a hundred hires. */
  gasOfWalletADay: 100_000_000,
  /** Text that a client's wallet signs for its owner. */
  signedTextChars: 1000,
  /** Registration waits this long for its transaction. */
  registerWaitMs: 30_000,
  /** Deliveries of one job to its agent, lapsed and revised ones together. */
  attempts: 3,
  /** An appeal says why in few words, while people remember. */
  appealChars: 2000,
  appealMs: 7 * dayMs,
  /** A proposal that nobody answered. */
  proposalMs: 15 * minuteMs,
  /** Questions asked back at once. */
  questionsAtOnce: 2,
  /** A stream says that it is alive. */
  heartbeatMs: 10_000,
  /** Event streams of one user, or of one address without a token: a person with three programs, twice. */
  streams: 5,
  /** Event streams of one network address, whose users may be several: ten addresses are needed to take all. */
  streamsOfAddress: 50,
  /** Event streams of all together; each costs a connection and about 100 KB. */
  streamsOfAll: 500,
  /** A reader that takes nothing for so long is cut off: what it was told waits in memory. */
  stalledMs: 30_000,
  /** A request that is not whole by then is 408: who sends a byte a second holds a connection for nothing. */
  requestMs: minuteMs,
  /** Requests that wait for their turn, of one network address and of all together; each costs a connection and about 20 KB. */
  waitingRequestsOfAddress: 1_000,
  waitingRequests: 5_000,
  /** Event loop time that a message, or a registration, counts for: most of its work is done after its answer. */
  messageWorkMs: 100,
  registrationWorkMs: 50,
  /** Runs of one user that are under way, or wait for an answer that may still come. */
  openRuns: 100,
  /** Runs without a token that are under way: of one network address, of all together, and advanced at once. */
  anonymousRunsOfAddress: 20,
  anonymousRuns: 100,
  anonymousRunsAtOnce: 4,
  /** Mandates of one user that hold on one chain, and categories of one. */
  mandates: 20,
  mandateCategories: 20,
  /** Withdrawals of one custodial wallet in 24 hours: the treasury pays the gas. */
  withdrawalsADay: 20,
  /** A hire that was to go under a mandate comes about within this, or its share is free again. */
  reservedMs: 5 * minuteMs,
  /** Rows of one page of a list. */
  pageRows: 500,
  /** Transactions of one wallet in flight; geth guarantees 16 executable slots an account. */
  inFlight: 16,
} as const
