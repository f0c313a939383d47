import { useState } from 'hono/jsx/dom'
import { useEffect } from '../client/effects.ts'
import { t } from '../client/words.ts'
import { decodeBytes } from '../parts/strangers.tsx'
import { type Drawn, pictureTypes } from './kinds.ts'

type PictureOf = Extract<Drawn, { kind: 'picture' }>

const bytesOf = ({ type, source }: PictureOf): Blob => {
  const isText = type === 'svg' && source.startsWith('<')
  // Invalid base64 is shown as a broken image.
  const bytes = isText ? source : decodeBytes(source)
  return new Blob([bytes], { type: pictureTypes[type] })
}

/** A delivered picture as an <img>. An image can run no script, load nothing and contain no links. */
export const Picture = ({ picture, name }: { picture: PictureOf; name: string }) => {
  const [url, setUrl] = useState('')
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    const made = URL.createObjectURL(bytesOf(picture))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [picture.source])
  if (isBroken) return <p class="q">{t('This picture cannot be shown. “As it came” shows what was delivered.')}</p>
  const size = isSquare(picture) ? 'square' : undefined
  return <div class="mat">{url && <img src={url} class={size} alt={name} onError={() => setBroken(true)} />}</div>
}

/** Whether a drawing is as wide as high, such as a code to scan, which needs no large picture. */
const isSquare = ({ type, source }: PictureOf): boolean => {
  const [, width, height] = type === 'svg' ? (/<svg[^>]*?viewBox=["'][\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)/i.exec(source) ?? []) : []
  return width !== undefined && width === height
}

export const kilobytes = (chars: number): string => (chars < 1024 ? `${chars} bytes` : `${Math.round(chars / 102.4) / 10} KB`)

export const PictureNote = ({ picture: { type, source } }: { picture: PictureOf }) => (
  <p class="s q after">
    {type.toUpperCase()}, {kilobytes(source.length)}
    {type === 'svg' && `, ${t('prints at any size')}`}
  </p>
)
