import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { PasskeyEntry, PasskeyRecord } from '../../records/passkey.ts'
import type { Api } from './api.ts'

// Loaded when a passkey is used, because the first load of the page needs none of it.

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']
type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** What a person does at a browser's own dialog. The browser says the same for "declined" and "took too long". */
const atDialog = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((cause: unknown) => {
    if (cause instanceof Error && cause.name === 'NotAllowedError')
      throw new Error('No passkey was used. Nothing happened; try again when you like.', { cause })
    throw cause
  })

const create = (optionsJSON: CreationOptions) => atDialog(startRegistration({ optionsJSON }))
const use = (optionsJSON: RequestOptions) => atDialog(startAuthentication({ optionsJSON }))

const optionsFor = async <T>(api: Api, purpose: 'sign-up' | 'sign-in'): Promise<T> =>
  (await api.post<{ options: T }>('/v1/passkeys/options', { purpose })).options

/** Makes an account with a new passkey. */
export const signUp = async (api: Api): Promise<PasskeyEntry> => {
  const answer = await create(await optionsFor<CreationOptions>(api, 'sign-up'))
  return api.post('/v1/passkeys/sign-up', { answer, name: deviceName() })
}

/** Signs in with a passkey of this browser or of a device nearby. */
export const signIn = async (api: Api): Promise<PasskeyEntry> => {
  const answer = await use(await optionsFor<RequestOptions>(api, 'sign-in'))
  return api.post('/v1/passkeys/sign-in', { answer })
}

/** Adds a passkey to the account of the signed-in user. */
export const add = async (api: Api): Promise<PasskeyRecord> => {
  const { options } = await api.post<{ options: CreationOptions }>('/v1/passkeys/adding', {})
  return api.post('/v1/passkeys', { answer: await create(options), name: deviceName() })
}

/** Lets a passkey sign the options that a refused request named; the value of the header with which it is repeated. */
export const prove = async (options: RequestOptions): Promise<string> => {
  const text = JSON.stringify(await use(options))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** A name by which the person knows the device again. */
const deviceName = (): string => {
  const [, system = ''] = /(Android|iPhone|iPad|Mac OS|Windows|Linux)/.exec(navigator.userAgent) ?? []
  return system === '' ? 'Passkey' : `Passkey on ${system}`
}
