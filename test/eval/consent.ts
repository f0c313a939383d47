import { pathToFileURL } from 'node:url'
import { type HeldPhrase, holdPhrases } from '../conversations/consent/hold.ts'
import { readPhrases } from '../conversations/consent/phrases.ts'
import { startService } from '../conversations/people/service.ts'

const count = (of: HeldPhrase[]) => ({
  n: of.length,
  hired: of.filter(it => it.isHired).length,
  still_open: of.filter(it => it.isOpen).length,
})

/**
 * Says each phrase of a file to an open proposal of a running service, and counts the hires by kind. `said` gets every phrase with
 * what came of it.
 */
export const measureConsent = async (
  file: string,
  said: (it: HeldPhrase) => void,
): Promise<Record<string, ReturnType<typeof count>>> => {
  const phrases = await readPhrases(pathToFileURL(file))
  const { call, stop } = await startService()
  const held = await holdPhrases(call, phrases).finally(stop)
  for (const it of held) said(it)
  const byKind = [...Map.groupBy(held, it => it.kind)].map(([kind, of]) => [kind, count(of)] as const)
  return { ...Object.fromEntries(byKind), all: count(held) }
}
