import { readConsent } from '../../domain/consent/readConsent.ts'

/** Asks a yes-or-no question; undefined without a terminal. */
export const confirm = async (question: string, out: NodeJS.WriteStream): Promise<boolean | undefined> => {
  if (!process.stdin.isTTY || !out.isTTY) return undefined
  const { createInterface } = await import('node:readline/promises')
  const reader = createInterface({ input: process.stdin, output: out })
  try {
    return readConsent(await reader.question(`${question} [y/N] `)) === 'yes'
  } finally {
    reader.close()
  }
}
