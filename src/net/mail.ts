import { secondMs } from '../domain/durations.ts'
import { Problem } from '../domain/problem.ts'
import type { Mail } from '../ports.ts'

const patienceMs = 10 * secondMs
const isHere = (host: string) => ['127.0.0.1', 'localhost', '[::1]'].includes(host)

/**
 * Sends mail over SMTP. A server elsewhere must speak TLS, because a link signs in whoever reads it.
 * @param url `smtp://user:password@host:587` or `smtps://…`; @param from the sender's address
 */
export const createMail = ({ url, from }: { url: string; from: string }): Mail => {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const place = {
    ...{ host: hostname, port: Number(port) || (secure ? 465 : 587), secure, requireTLS: !secure && !isHere(hostname) },
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...{ connectionTimeout: patienceMs, greetingTimeout: patienceMs, socketTimeout: patienceMs },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  }
  return {
    async send({ to, subject, text }) {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport(place)
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
      } catch {
        // What the mail server said may name the address.
        throw new Problem('busy', 'The e-mail could not be sent. Try again later.')
      } finally {
        transport.close()
      }
    },
  }
}
