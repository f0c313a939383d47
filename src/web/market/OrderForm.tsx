import { useState } from 'hono/jsx/dom'
import { toUsdc } from '../client/format.ts'
import { useReach, useToken } from '../client/reach.ts'
import type { Offering } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { Fields } from '../fields/Fields.tsx'
import { type Edited, fieldsOf, toInput } from '../fields/fields.ts'
import { textOf } from '../parts/basics.tsx'

type FormProps = { offering: Offering; handle: string }

/** The input form of an offering. It requests a proposal; nothing is paid before the user accepts that. */
export const OrderForm = ({ offering, handle }: FormProps) => {
  const { router } = useReach()
  const token = useToken()
  const [values, setValues] = useState<Edited>({})
  const [text, setText] = useState('')
  const fields = fieldsOf(offering.requirement, values)
  // An offering without fields takes plain text.
  const takesText = fields.length === 0
  const isFilled = takesText
    ? text.trim() !== ''
    : fields.every(it => !it.isRequired || it.kind === 'tick' || values[it.name]?.trim())
  const typed = Object.fromEntries(
    fields.map(it => [it.name, values[it.name] ?? (it.kind === 'tick' && it.isRequired ? 'false' : '')]),
  )
  const send = (event: Event) => {
    event.preventDefault()
    const order = { hire: handle, service: offering.name, task: takesText ? text.trim() : toInput(offering.requirement, typed) }
    router.go(`/?${new URLSearchParams(order)}`)
  }
  return (
    <form class="order" onSubmit={send} aria-label={t('Order')}>
      {takesText && (
        <label class="field">
          <span>{t('What do you want?')}</span>
          <textarea
            class="in"
            rows={2}
            maxlength={4_000}
            placeholder={offering.examples[0] ?? ''}
            value={text}
            onInput={(event: Event) => setText(textOf(event))}
          />
        </label>
      )}
      <Fields
        id={`order-${offering.id}`}
        schema={offering.requirement}
        values={typed}
        set={(name, text) => setValues({ ...values, [name]: text })}
      />
      <button type="submit" class="btn main full" disabled={!token || !isFilled}>
        {t('See the offer')} · {toUsdc(String(offering.price_v2.amount))} USDC
      </button>
      <p class="q xs center">
        {token
          ? t('Nothing is paid yet. You see the terms first and then say yes or no.')
          : t('Sign in on the first page to hire.')}
      </p>
    </form>
  )
}
