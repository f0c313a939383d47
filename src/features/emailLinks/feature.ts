import { post } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { emailTable, enterByEmail, sendEmailLink } from './links.ts'
import { needs } from './needs.ts'

/** Accounts of people without a wallet and without a passkey: an e-mailed link opens them, where SMTP is configured. */
export const emailLinks: Feature = {
  name: 'emailLinks',
  needs,
  routes: [post('/v1/email/links', sendEmailLink), post('/v1/email/enter', enterByEmail)],
  tables: [emailTable],
}
