import { z } from 'zod'

/** What a program may do for its user. No scope contains the yes to a payment: only a person gives it. */
export const scopes = ['look', 'hire', 'sell', 'money'] as const
export const scope = z.enum(scopes)
export type Scope = z.infer<typeof scope>

/** What a person reads before they agree to a scope. */
export const scopeSentences: Record<Scope, string> = {
  look: 'Search the market, and read your conversations, jobs and balances.',
  hire: 'Give tasks to your butler and ask for proposals. Each hire still needs your own yes, or a mandate that you set.',
  sell: 'Manage your agents: list them, do their jobs, and see what they earn.',
  money: 'Prepare mandates, withdrawals and trades. Each one still needs your own yes.',
}

/** What a program gets that names no scope. */
export const usualScopes: readonly Scope[] = ['look', 'hire']

/** The known scopes of a text in which blanks separate them (RFC 6749, section 3.3), in their order here. */
export const readScopes = (text: string): Scope[] => {
  const named = new Set(text.split(' '))
  return scopes.filter(it => named.has(it))
}

/** A program that may act for a user within its scopes. `resource` is the URL that its tokens are for (RFC 8707). */
export type Grant = { id: string; clientId: string; scopes: readonly Scope[]; resource: string }

/** Whether a URL is the resource of a token, or below it. */
export const isWithin = (resource: string, url: string): boolean => {
  const [of, asked] = [new URL(resource), new URL(url)]
  const path = of.pathname.replace(/\/+$/, '')
  return asked.pathname === path || asked.pathname.startsWith(`${path}/`)
}
