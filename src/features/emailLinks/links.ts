import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { hourMs, minuteMs } from '../../domain/durations.ts'
import { address, nobody } from '../../domain/hex.ts'
import { sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { accessOf, type Deps, operation } from '../../operations/operation.ts'
import { passkeyEntry } from '../../records/passkey.ts'
import type { Scope } from '../../store/engine/db.ts'
import { insertion, rowOf } from '../../store/engine/rows.ts'
import { makeRecovered } from '../passkeys/freshCheck.ts'
import { presence } from '../passkeys/presence.ts'
import { enter } from '../passkeys/signUp.ts'
import { type EmailTables, emailTables } from './ports.ts'

const accounts = rowOf({ wallet: address })

const counts = 'select count(*) as total, count(case when email = $1 then 1 end) as own from email_link'
const ofEmail = 'select wallet from email_account where email = $1'

/** Links that were sent in the last hour, and the accounts that e-mail addresses open. */
export const emailTable = ({ read, write }: Scope): EmailTables => ({
  noteLink: (email, most) =>
    write(async ({ sql }) => {
      await sql('select {LOCKED_NAME} as held', ['email-links'])
      await sql(`delete from email_link where at <= {NOW} - ${hourMs}`)
      const [row] = await sql(counts, [email])
      if (Number(row?.own) >= most.ofAddress || Number(row?.total) >= most.ofAll) return false
      await sql(...insertion('email_link', { email }, ['at']))
      return true
    }),

  accountOf: async email => accounts.one(await read(ofEmail, [email]))?.wallet,
  addAccount: (email, wallet) =>
    write(async ({ sql }) => {
      const [insert, params] = insertion('email_account', { email, wallet }, ['createdAt'])
      await sql(`${insert} on conflict (email) do nothing`, params)
      return accounts.one(await sql(ofEmail, [email]))?.wallet ?? wallet
    }),
})

const lifeMinutes = 15
const purpose = 'email-link'
const most = { ofAddress: limits.emailLinks, ofAll: limits.emailLinksOfAll }

const mailOf = ({ mail }: Deps) => {
  if (!mail) throw new Problem('not-found', 'This service sends no e-mail.')
  return mail
}

export const sendEmailLink = operation({
  name: 'sendEmailLink',
  summary: 'Send a link that signs in by e-mail. It works once, for 15 minutes. Only where the service sends e-mail.',
  caller: 'anyone',
  input: z.strictObject({ email: z.email().max(254) }),
  output: z.object({ sent: z.literal(true) }),

  async run({ email }, deps, caller) {
    const mail = mailOf(deps)
    caller.charge?.(limits.registrationWorkMs)
    const access = accessOf(deps)
    const hash = createHmac('sha256', access.keyFor('email-account')).update(email.toLowerCase()).digest('hex')
    if (!(await emailTables(deps.store).noteLink(hash, most)))
      throw new Problem('rate-limited', 'Enough links were sent for now. Open the newest one, or try again in an hour.')
    const until = deps.clock.now() + lifeMinutes * minuteMs
    const code = access.pack(`${until} ${hash} ${randomBytes(16).toString('base64url')}`, purpose)
    const { publicUrl } = deps.settings
    // The code is in the fragment, which no server and no log gets to see.
    await mail.send({
      to: email,
      subject: 'Your sign-in link',
      text: toText(new URL(publicUrl).host, `${publicUrl}/app/email#${code}`),
    })
    return { sent: true as const }
  },
})

const toText = (host: string, link: string) => `Somebody, probably you, wants to sign in at ${host} with this e-mail address.

Open this link to sign in. It works once, for ${lifeMinutes} minutes:

${link}

If it was not you, do nothing. Nobody gets in without the link, so do not pass it on.
`

export const enterByEmail = operation({
  name: 'enterByEmail',
  summary:
    'Sign in with the code of an e-mailed link, once. A new address gets an account, whose wallet is kept by this service.',
  caller: 'anyone',
  input: z.strictObject({ code: z.string().max(400) }),
  output: passkeyEntry,

  async run({ code }, deps) {
    mailOf(deps)
    const [until = '', email = ''] = accessOf(deps).unpack(code, purpose)?.split(' ') ?? []
    const use = { code: sha256(code), wallet: nobody, until: Number(until), claimable: false }
    if (!(Number(until) > deps.clock.now()) || !(await deps.store.spendCode(use)))
      throw new Problem('signature-mismatch', 'This link has ended, or was used before. Ask for a new one.')
    const wallet = await accountOf(deps, email)
    const entry = await enter(deps, { wallet, code: undefined, handOver: false })
    // The first passkey is added with the link alone. After that, a mailbox takes no money out.
    return (await presence.hasPasskey(wallet, deps)) ? entry : { ...entry, proof: makeRecovered(deps, wallet) }
  },
})

const accountOf = async (deps: Deps, email: string) => {
  const tables = emailTables(deps.store)
  const known = await tables.accountOf(email)
  if (known) return known
  if (!deps.wallets.create) throw new Problem('method-not-offered')
  return tables.addAccount(email, await deps.wallets.create())
}
