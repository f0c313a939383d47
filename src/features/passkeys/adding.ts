import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { operation, userOf } from '../../operations/operation.ts'
import { checkFresh, freshCheck } from './freshCheck.ts'
import { checkPlace, handleCount, options, toCreation } from './options.ts'
import { passkeyTables } from './ports.ts'

export const readAddingOptions = operation({
  name: 'readAddingOptions',
  summary:
    'What a browser needs to add a passkey to your account. Valid for five minutes, once. A passkey of yours agrees first, ' +
    'or the recovery code, or your own wallet.',
  isYes: () => true,
  input: freshCheck,
  output: z.object({ options }),

  async run(check, deps, caller) {
    checkPlace(deps)
    const wallet = userOf(caller)
    await checkFresh(deps, check, caller)
    const known = (await passkeyTables(deps.store).passkeysOf(wallet)).map(it => it.id)
    const handle = new Uint8Array(randomBytes(handleCount))
    return { options: { ...(await toCreation(deps, { subject: wallet, handle, purpose: 'add', known })) } }
  },
})
