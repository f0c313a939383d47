import { validationKeys } from '../../domain/jobs/validation.ts'
import type { Tables } from '../../ports.ts'

/**
 * Responds to a validation again, when the registry has the request and every earlier response failed. A reorganisation can
 * mine a response before its request, and the registry then refuses it. A second response of the same value changes nothing
 * there.
 */
export const respondAgain = async (tables: Tables, jobId: string): Promise<void> => {
  const { request, responses } = validationKeys(jobId)
  const [asked] = await tables.intentsOf([request])
  const tried = await tables.intentsOf(responses)
  const key = responses[tried.length]
  const [first] = tried
  if (asked?.state !== 'confirmed' || !first || !key || tried.some(it => it.state !== 'reverted')) return
  const { chainId, sender, call } = first
  await tables.addIntents([{ key, chainId, sender, call, after: request }])
}
