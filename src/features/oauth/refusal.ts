import { type OauthError, oauthError } from '../../records/program.ts'

/** An error that OAuth names (RFC 6749, sections 4.1.2.1 and 5.2; RFC 7591, section 3.2.2; RFC 8707, section 2). */
export class Refusal extends Error {
  readonly body: OauthError

  constructor(error: string, description: string) {
    super(`${error}: ${description}`)
    // OAuth allows printable ASCII without quotes and backslashes only.
    this.body = { error, error_description: description.replaceAll(/[^ -!#-[\]-~]/g, "'") }
  }
}

/** Status and headers of an endpoint that answers as OAuth demands: errors have status 400, and nothing is cached. */
export const asOauth = (answer: unknown): { status: 200 | 400; headers: Record<string, string> } => ({
  status: oauthError.safeParse(answer).success ? 400 : 200,
  headers: { 'cache-control': 'no-store' },
})

export const orRefusal = async <T>(work: () => Promise<T>): Promise<T | OauthError> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return error.body
    throw error
  }
}
