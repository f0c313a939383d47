import { startRegistration } from '@simplewebauthn/browser'
import type { PasskeyEntry, PasskeyRecord } from '../../records/passkey.ts'
import type { Api } from './api.ts'
import { atDialog, type RequestOptions, use } from './passkeyDialog.ts'
import { keepProof, takeProof } from './proof.ts'

// Loaded when a passkey is used, because the first load of the page needs none of it.

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']

const create = (optionsJSON: CreationOptions) => atDialog(startRegistration({ optionsJSON }))

const optionsFor = async <T>(api: Api, purpose: 'sign-up' | 'sign-in'): Promise<T> =>
  (await api.post<{ options: T }>('/v1/passkeys/options', { purpose })).options

export const signUp = async (api: Api): Promise<PasskeyEntry> => {
  const answer = await create(await optionsFor<CreationOptions>(api, 'sign-up'))
  return api.post('/v1/passkeys/sign-up', { answer, name: deviceName() })
}

/** Signs in with a passkey of this browser or of a device nearby. */
export const signIn = async (api: Api): Promise<PasskeyEntry> => {
  const answer = await use(await optionsFor<RequestOptions>(api, 'sign-in'))
  return api.post('/v1/passkeys/sign-in', { answer })
}

/** Signs in with the recovery code. Its proof stays in this tab, so that a new passkey can be added without the lost one. */
export const recover = async (api: Api, code: string): Promise<PasskeyEntry> => {
  const entry = await api.post<PasskeyEntry>('/v1/passkeys/recover', { recovery_code: code })
  keepProof(entry)
  return entry
}

export const add = async (api: Api): Promise<PasskeyRecord> => {
  const proof = takeProof()
  const { options } = await api.post<{ options: CreationOptions }>('/v1/passkeys/adding', proof ? { proof } : {})
  return api.post('/v1/passkeys', { answer: await create(options), name: deviceName() })
}

/** A name by which the person knows the device again. */
const deviceName = (): string => {
  const [, system = ''] = /(Android|iPhone|iPad|Mac OS|Windows|Linux)/.exec(navigator.userAgent) ?? []
  return system === '' ? 'Passkey' : `Passkey on ${system}`
}
