import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from './schema.ts'

export type * from './schema.ts'

export type ClientOptions = {
  /** Base URL of the service. */
  url: string
  /** An access token; without one, the client reads what is public. */
  token?: string
  /** Default: the fetch of the platform. */
  fetch?: (request: Request) => Promise<Response>
}

/** Answers with JSON and refusals; some paths can also answer with a stream of events. */
type Media = `application/${string}`

/** Creates a client whose paths, inputs and answers are typed by the OpenAPI document. It returns a refusal as `error`. */
export const createClient = ({ url, token, fetch }: ClientOptions): Client<paths, Media> =>
  createFetchClient<paths, Media>({
    baseUrl: url,
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    ...(fetch && { fetch }),
  })
