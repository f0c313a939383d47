import { t } from '../client/words.ts'
import { Button, type ButtonProps, useCopy } from './basics.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

/** A button that copies a text. */
export const CopyButton = ({ text, ...rest }: ButtonProps & { text: string | undefined }) => {
  const [isCopied, copy] = useCopy()
  const icon = isCopied ? <CheckIcon /> : <CopyIcon />
  return (
    <Button class="btn small" {...rest} onClick={() => text && copy(text)} icon={icon} words={t(isCopied ? 'Copied' : 'Copy')} />
  )
}
