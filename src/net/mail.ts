import { secondMs } from '../domain/durations.ts'
import { Problem } from '../domain/problem.ts'
import type { Mail } from '../ports.ts'

const patienceMs = 10 * secondMs
const isHere = (host: string) => ['127.0.0.1', 'localhost', '[::1]'].includes(host)

/** A server elsewhere must speak TLS, because a link signs in whoever reads it. */
const openTransport = async (url: string) => {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const place = {
    host: hostname,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !isHere(hostname),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const { createTransport } = await import('nodemailer')
  return createTransport(place)
}

/**
 * Sends mail over SMTP.
 * @param url `smtp://user:password@host:587` or `smtps://…`; @param from the sender's address
 */
export const createMail = ({ url, from }: { url: string; from: string }): Mail => ({
  async send({ to, subject, text }) {
    const transport = await openTransport(url)
    try {
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    } catch {
      // What the mail server said may name the address.
      throw new Problem('busy', 'The e-mail could not be sent. Try again later.')
    } finally {
      transport.close()
    }
  },
})

/** Greets the mail server and shows the password, without a mail. @throws Error that says what it refused */
export const checkMail = async (url: string): Promise<void> => {
  const transport = await openTransport(url)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}
