import {
  A2AError,
  ContentTypeNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import { Problem, problems } from '../domain/problem.ts'

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

/** Whether the same request can never succeed, so that its sender is at fault. */
const isForGood = ({ type }: Problem): boolean => problems[type][0] < 500 && !problems[type][2]

/** A problem of the service as an error of A2A, with its words. Only what is no mistake of the sender is an internal error. */
export const toA2aError = (error: unknown, log: (error: unknown) => void): Error => {
  if (error instanceof A2AError) return error
  if (!(error instanceof Problem)) {
    log(error)
    return new Error('An internal error occurred.')
  }
  const Known = codes[error.type] ?? (isForGood(error) ? RequestMalformedError : undefined)
  return Known ? new Known(error.detail) : new Error(`${error.type}: ${error.detail}`)
}
