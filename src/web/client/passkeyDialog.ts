import { startAuthentication } from '@simplewebauthn/browser'
import { t } from './words.ts'

export type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** What a person does at a browser's own dialog. The browser says the same for "declined" and "took too long". */
export const atDialog = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((cause: unknown) => {
    if (cause instanceof Error && cause.name === 'NotAllowedError')
      throw new Error(t('No passkey was used. Nothing happened; try again when you like.'), { cause })
    throw cause
  })

export const use = (optionsJSON: RequestOptions) => atDialog(startAuthentication({ optionsJSON }))

/** Lets a passkey sign the options that a refused request named; the value of the header with which it is repeated. */
export const prove = async (options: RequestOptions): Promise<string> => {
  const text = JSON.stringify(await use(options))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
