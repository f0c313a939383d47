import { useState } from 'hono/jsx/dom'
import type { Api } from '../client/api.ts'
import type { Purchase } from '../client/purchase.ts'
import { useReach } from '../client/reach.ts'
import { t, type Words } from '../client/words.ts'
import { Button } from '../parts/basics.tsx'
import { DownloadIcon } from '../parts/icons.tsx'
import { decodeBytes, downloadBlob } from '../parts/strangers.tsx'
import { toEnding } from './Tools.tsx'

type AnswerPart = { parts: number; base64: string }

/** Downloads a long answer, which is stored in parts. The browser saves it and does not display it. */
export const SaveAnswer = ({ purchase }: { purchase: Purchase }) => {
  const { api } = useReach()
  const [words, setWords] = useState<Words>('Download the whole answer')
  const { purchase_id, content_type } = purchase
  const save = async () => {
    setWords('Loading')
    try {
      const [type = ''] = content_type.split(';')
      downloadBlob(await readAnswer(api, purchase_id), `result-${purchase_id.slice(-8)}.${toEnding(type.trim().toLowerCase())}`)
      setWords('Download the whole answer')
    } catch {
      setWords('That failed. Try again')
    }
  }
  return <Button class="link" onClick={save} icon={<DownloadIcon />} words={t(words)} />
}

const readAnswer = async (api: Api, id: string): Promise<Blob> => {
  const read = (part: number) => api.get<AnswerPart>(`/v1/purchases/${id}/answer?part=${part}`)
  const first = await read(0)
  const bytes = [decodeBytes(first.base64)]
  for (let part = 1; part < first.parts; part += 1) bytes.push(decodeBytes((await read(part)).base64))
  return new Blob(bytes, { type: 'application/octet-stream' })
}
