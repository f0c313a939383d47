import { get, post, remove } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { readAddingOptions } from './adding.ts'
import { readPasskeyOptions } from './options.ts'
import { addPasskey, listPasskeys, removePasskey, renewRecoveryCode } from './passkeys.ts'
import { passkeyTable } from './passkeyTable.ts'
import { presence } from './presence.ts'
import { recoverAccount, signInWithPasskey, signUpWithPasskey } from './signUp.ts'

/** Accounts of people without a wallet: a passkey (WebAuthn) opens them, and the service keeps their wallet. */
export const passkeys: Feature = {
  name: 'passkeys',
  routes: [
    post('/v1/passkeys/options', readPasskeyOptions),
    post('/v1/passkeys/sign-up', signUpWithPasskey),
    post('/v1/passkeys/sign-in', signInWithPasskey),
    post('/v1/passkeys/recover', recoverAccount),
    post('/v1/passkeys/recovery-code', renewRecoveryCode),
    get('/v1/passkeys', listPasskeys),
    post('/v1/passkeys/adding', readAddingOptions),
    post('/v1/passkeys', addPasskey),
    remove('/v1/passkeys/{passkey_id}', removePasskey),
  ],
  tables: [passkeyTable],
  presence,
}
