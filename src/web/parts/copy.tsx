import { useState } from 'hono/jsx/dom'
import { t } from '../client/words.ts'
import { Button, type ButtonProps } from './basics.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

const copiedMs = 2_000

/** A button that copies a text. */
export const CopyButton = ({ text, ...rest }: ButtonProps & { text: string | undefined }) => {
  const [isCopied, copy] = useCopy()
  const icon = isCopied ? <CheckIcon /> : <CopyIcon />
  return (
    <Button class="btn small" {...rest} onClick={() => text && copy(text)} icon={icon} words={t(isCopied ? 'Copied' : 'Copy')} />
  )
}

/** Returns a function that copies a text, and whether it was copied a moment ago. */
export const useCopy = (): [boolean, (text: string) => void] => {
  const [isCopied, setCopied] = useState(false)
  const copy = (text: string) =>
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), copiedMs)
    })
  return [isCopied, copy]
}
