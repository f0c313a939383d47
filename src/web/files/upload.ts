import type { FileRecord } from '../../records/file.ts'
import { t } from '../client/words.ts'

type Sending = { token: string | undefined; signal: AbortSignal; onProgress(share: number): void }

const problemOf = (text: string): string | undefined => {
  try {
    const { detail } = JSON.parse(text)
    return typeof detail === 'string' ? detail : undefined
  } catch {
    return undefined
  }
}

/**
 * Uploads a file and tells its progress as a share from 0 to 1. `fetch` cannot tell it, so this is an XMLHttpRequest.
 * Rejects with an Error whose message is for users.
 */
export const upload = (file: File, { token, signal, onProgress }: Sending): Promise<FileRecord> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/v1/files?name=${encodeURIComponent(file.name)}`)
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => total > 0 && onProgress(loaded / total)
    request.onload = () =>
      request.status < 300
        ? resolve(JSON.parse(request.responseText))
        : reject(
            new Error(problemOf(request.responseText) ?? t('The service answered {status}.', { status: String(request.status) })),
          )
    request.onerror = () => reject(new Error(t('The file could not be sent. Try again when the line is back.')))
    request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
