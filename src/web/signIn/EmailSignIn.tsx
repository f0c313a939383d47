import { useState } from 'hono/jsx/dom'
import { useReach } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Filled } from '../parts/Filled.tsx'
import { LineField, LineForm } from '../parts/LineForm.tsx'

export const EmailSignIn = () => {
  const { api } = useReach()
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string>()
  const send = async () => {
    await api.post('/v1/email/links', { email: email.trim() })
    setSentTo(email.trim())
  }
  if (sentTo !== undefined)
    return (
      <p role="status">
        <Filled
          words={t('We sent a link to {email}. Open it in this browser. It works once, for 15 minutes.')}
          of={{ email: <b class="whole">{sentTo}</b> }}
        />
      </p>
    )
  return (
    <LineForm button={t('Send the link')} isReady={email.trim() !== ''} send={send}>
      <LineField label={t('E-mail address')} type="email" autocomplete="email" value={email} set={setEmail} />
    </LineForm>
  )
}
