import { limits } from '../domain/limits.ts'
import type { Operation } from '../operations/operation.ts'

export type Route = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  operation: Operation
  /** The status of a successful response, if it is not 200. */
  status?: 201 | 204
  /** The body becomes the member `body` of the input. */
  takesBody?: true
  /** The body may also be a form (application/x-www-form-urlencoded), as OAuth demands. */
  takesForm?: true
  /** The body is a file, which becomes the member `upload` of the input as a stream. */
  takesFile?: true
  /** Headers that become members of the input. */
  takesHeaders?: Readonly<Record<string, string>>
  givesFile?: true
  /**
   * Its credential is in the body. A token in the header is not read: a program that renews its token still sends the old one.
   */
  ignoresToken?: true
  /** The bytes of a body without a credential, if they are not `limits.strangerBodyBytes`. */
  bodyBytes?: number
  /**
   * The stream format of the route. `events` and `ag-ui` apply only with `Accept: text/event-stream`, and `a2a-method` only to
   * the streaming method. The others always stream.
   */
  stream?: 'events' | 'ag-ui' | 'command-line' | 'software-kit' | 'a2a' | 'a2a-method'
}

export const get = (path: string, operation: Operation): Route => ({ method: 'get', path, operation })
export const put = (path: string, operation: Operation): Route => ({ method: 'put', path, operation })
export const patch = (path: string, operation: Operation): Route => ({ method: 'patch', path, operation })
export const remove = (path: string, operation: Operation): Route => ({ method: 'delete', path, operation })
export const post = (path: string, operation: Operation): Route => ({ method: 'post', path, operation })
/** A route that takes a message: its text may have three bytes for each character, or six as JSON escapes. */
export const say = (path: string, operation: Operation): Route => ({
  ...post(path, operation),
  bodyBytes: limits.messageBodyBytes,
})
/** A route to which agents in open mode send work without a credential. */
export const deliver = (path: string, operation: Operation): Route => ({ ...post(path, operation), bodyBytes: limits.bodyBytes })
