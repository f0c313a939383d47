import { createListeners } from './listeners.ts'

const key = 'session'

export type Session = ReturnType<typeof createSession>

/**
 * Keeps the signed-in user. The token is in local storage, so all tabs share the user and a restart keeps it. A cookie would
 * allow cross-site requests, and the content security policy keeps foreign scripts from reading the token.
 */
export const createSession = (storage: Storage) => {
  const { notify, subscribe } = createListeners()
  // Another tab may sign in or out.
  addEventListener('storage', event => event.key === key && notify())
  return {
    token: () => storage.getItem(key) ?? undefined,
    signIn: (token: string) => {
      storage.setItem(key, token)
      notify()
    },
    signOut: () => {
      storage.removeItem(key)
      notify()
    },
    subscribe,
  }
}

/** Returns the wallet named in a token, without verifying the signature; only the service does that. */
export const walletOf = (token: string): string => {
  try {
    const [, claims = ''] = token.split('.')
    const { sub } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
    return String(sub).replace('user:', '')
  } catch {
    return ''
  }
}
