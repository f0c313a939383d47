import type { JSX, PropsWithChildren } from 'hono/jsx'
import { useWork } from '../client/reach.ts'
import { Button, Notice, textOf } from './basics.tsx'

type Props = PropsWithChildren<{ button: string; isReady?: boolean; send(): Promise<unknown> }>

/** A form of one line: its fields, its button, and what went wrong. */
export const LineForm = ({ button, isReady = true, send, children }: Props) => {
  const work = useWork()
  const submit = (event: Event) => {
    event.preventDefault()
    work.run(send)
  }
  return (
    <form class="row wd after" onSubmit={submit}>
      {children}
      <Button type="submit" class="btn" disabled={work.busy || !isReady} words={button} />
      {work.error && <Notice kind="error">{work.error}</Notice>}
    </form>
  )
}

type FieldProps = { label: string; value: string; set(text: string): void } & JSX.IntrinsicElements['input']

export const LineField = ({ label, value, set, ...input }: FieldProps) => (
  <label class="field grow">
    <span>{label}</span>
    <input class="in" autocomplete="off" value={value} onInput={(event: Event) => set(textOf(event))} {...input} />
  </label>
)

type SelectProps = Omit<JSX.IntrinsicElements['select'], 'onChange'> & {
  options: readonly (readonly [value: string, words: string])[]
  chosen: string | undefined
  set(value: string): void
}

export const Select = ({ options, chosen, set, ...rest }: SelectProps) => (
  <select class="in" {...rest} onChange={event => set(textOf(event))}>
    {options.map(([it, words]) => (
      <option key={it} value={it} selected={it === chosen}>
        {words}
      </option>
    ))}
  </select>
)

type ChoiceProps = {
  label: string
  options: readonly (readonly [value: string, words: string])[]
  value: string | undefined
  set(value: string): void
}

export const LineChoice = ({ label, options, value, set }: ChoiceProps) => (
  <label class="field">
    <span>{label}</span>
    <Select options={options} chosen={value} set={set} />
  </label>
)
