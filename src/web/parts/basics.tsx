import type { Child, JSX, PropsWithChildren } from 'hono/jsx'
import { useRef, useState } from 'hono/jsx/dom'
import { useEffect } from '../client/effects.ts'
import { toAgo, toFullTime, toUsdc } from '../client/format.ts'
import { useReach } from '../client/reach.ts'
import { setTitle, takeFocus } from '../client/title.ts'
import { t } from '../client/words.ts'
import { CrossIcon, SpinIcon } from './icons.tsx'

type SaidProps = { icon?: Child; words?: Child }

const Said = ({ icon, words }: SaidProps) => (
  <>
    {icon}
    {icon && words && ' '}
    {words}
  </>
)

type LabelProps = SaidProps & { class: string }

/** A few words with an icon. */
export const Label = ({ class: name, ...said }: LabelProps) => (
  <span class={name}>
    <Said {...said} />
  </span>
)

export type ButtonProps = JSX.IntrinsicElements['button'] & SaidProps

/** A button with an icon, words, or both. It sends a form only where its type says so. */
export const Button = ({ icon, words, ...rest }: ButtonProps) => (
  <button type="button" {...rest}>
    <Said icon={icon} words={words} />
  </button>
)

type LinkProps = PropsWithChildren<{ to: string; class?: string; current?: boolean } & SaidProps>

/** A link within the page. With a modifier key, the browser handles it. */
export const Link = ({ to, class: name, current = false, children, ...said }: LinkProps) => {
  const { router } = useReach()
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    router.go(to)
  }
  return (
    <a href={to} class={name} aria-current={current ? 'page' : undefined} onClick={go}>
      {children ?? <Said {...said} />}
    </a>
  )
}

/** The title of a view: its heading and the window title. The heading receives the focus when the view opens. */
export const Title = ({ children, isHidden = false }: { children: string; isHidden?: boolean }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    setTitle(children)
    takeFocus(heading.current)
  }, [children])
  return (
    <h1 ref={heading} id="title" tabindex={-1} class={isHidden ? 'vh' : undefined}>
      {children}
    </h1>
  )
}

export const Usdc = ({ amount }: { amount: string | number }) => (
  <span class="usdc num">
    {toUsdc(amount)} <abbr title="US dollar coin">USDC</abbr>
  </span>
)

export const Time = ({ at }: { at: number | string }) => (
  <time datetime={new Date(at).toISOString()} title={toFullTime(at)}>
    {toAgo(at)}
  </time>
)

/** Returns the current time in epoch ms, updated every second. */
export const useNow = (isRunning = true): number => {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    if (!isRunning) return
    const ticking = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(ticking)
  }, [isRunning])
  return now
}

type NoticeProps = PropsWithChildren<{ kind?: 'error' | 'empty' | 'note'; title?: string }>

/** A message about something missing or wrong, and what to do about it. */
export const Notice = ({ kind = 'note', title, children }: NoticeProps) => (
  <div class={`notice ${kind}`} role={kind === 'error' ? 'alert' : undefined}>
    {title && <p class="notice-title">{title}</p>}
    {children}
  </div>
)

/** What went wrong with the last press. */
export const Fault = ({ error }: { error: string | undefined }) =>
  error ? (
    <p class="say-so" role="alert">
      <CrossIcon /> <span>{error}</span>
    </p>
  ) : null

export const Failed = ({ error, reload }: { error: string; reload(): void }) => (
  <Notice kind="error" title={t('That did not work.')}>
    <p>{error}</p>
    <Button class="btn small" onClick={reload} words={t('Try again')} />
  </Notice>
)

export const Waiting = () => (
  <p class="waiting q" role="status">
    <SpinIcon /> {t('Loading')} …
  </p>
)

export const textOf = ({ target }: Event): string =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
    ? target.value
    : ''

const copiedMs = 2_000

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
