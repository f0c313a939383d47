import {
  A2AError,
  ContentTypeNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import { Problem } from '../domain/problem.ts'

const codes: Partial<Record<Problem['type'], new (message: string) => A2AError>> = {
  'run-not-found': TaskNotFoundError,
  unauthenticated: TaskNotFoundError,
  'person-needed': UnsupportedOperationError,
  'invalid-input': RequestMalformedError,
  'file-not-found': RequestMalformedError,
  'body-too-large': RequestMalformedError,
  'unsupported-media-type': ContentTypeNotSupportedError,
  'proposal-changed': RequestMalformedError,
  'nothing-proposed': UnsupportedOperationError,
  'proposal-expired': UnsupportedOperationError,
  'job-already-closed': TaskNotCancelableError,
}

/** A problem of the service as an error of A2A; one without a code of its own is an internal error with its words. */
export const toA2aError = (error: unknown, log: (error: unknown) => void): Error => {
  if (error instanceof A2AError) return error
  if (!(error instanceof Problem)) {
    log(error)
    return new Error('An internal error occurred.')
  }
  const Known = codes[error.type]
  return Known ? new Known(error.detail) : new Error(`${error.type}: ${error.detail}`)
}
