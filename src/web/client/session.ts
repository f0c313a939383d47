const key = 'session'

export type Session = ReturnType<typeof createSession>

/**
 * Who is signed in. The token lies in the browser's local storage: a second tab and a restarted browser are the same user, the
 * service sets no cookie that another site could ride on, and the content security policy lets no foreign script read it.
 */
export const createSession = (storage: Storage) => {
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  // Another tab signed in or out.
  addEventListener('storage', event => event.key === key && tell())
  return {
    token: () => storage.getItem(key) ?? undefined,
    signIn: (token: string) => {
      storage.setItem(key, token)
      tell()
    },
    signOut: () => {
      storage.removeItem(key)
      tell()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The wallet that a token speaks for, as its bearer reads it; whether it is true is the service's to say. */
export const walletOf = (token: string): string => {
  try {
    const [, claims = ''] = token.split('.')
    const { sub } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
    return String(sub).replace('user:', '')
  } catch {
    return ''
  }
}
