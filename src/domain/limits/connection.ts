import { minuteMs } from '../durations.ts'

const kib = 1024

/** Limits of requests, streams and connections. */
export const connectionLimits = {
  /** Interval of heartbeats in a silent stream. */
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
} as const
