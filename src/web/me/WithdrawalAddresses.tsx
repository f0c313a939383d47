import { useState } from 'hono/jsx/dom'
import type { WithdrawalAddressRecord } from '../../records/withdrawal.ts'
import { toShort } from '../client/format.ts'
import { useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Notice, Time } from '../parts/basics.tsx'
import { LineField, LineForm } from '../parts/LineForm.tsx'

export const isUsable = ({ usable_at }: WithdrawalAddressRecord): boolean => Date.parse(usable_at) <= Date.now()

type Props = { chainId: number; addresses: WithdrawalAddressRecord[]; reload(): void }

/** Outside addresses of an account whose only wallet is kept here. Adding one asks the passkey, and then it waits. */
export const WithdrawalAddresses = ({ chainId, addresses, reload }: Props) => {
  const { api } = useReach()
  const work = useWork()
  const remove = (id: string) => work.run(() => api.remove(`/v1/withdrawal-addresses/${encodeURIComponent(id)}`), reload)
  return (
    <>
      <h3 class="after">{t('Withdrawal addresses')}</h3>
      <ul class="lines s">
        {addresses.map(it => (
          <li key={it.address_id}>
            <b>{it.name}</b> <code class="mono whole">{it.address}</code>{' '}
            {!isUsable(it) && (
              <span class="q s">
                {t('can be used from')} <Time at={it.usable_at} />
              </span>
            )}{' '}
            <button type="button" class="btn small" disabled={work.busy} onClick={() => remove(it.address_id)}>
              {isUsable(it) ? t('Remove') : t('Cancel')} <span class="vh">{toShort(it.address)}</span>
            </button>
          </li>
        ))}
      </ul>
      {work.error && <Notice kind="error">{work.error}</Notice>}
      <AddAddress chainId={chainId} done={reload} />
    </>
  )
}

const AddAddress = ({ chainId, done }: { chainId: number; done(): void }) => {
  const { api } = useReach()
  const [address, setAddress] = useState('')
  const add = async () => {
    await api.post('/v1/withdrawal-addresses', { chain_id: chainId, address: address.trim() })
    setAddress('')
    done()
  }
  return (
    <>
      <LineForm button={t('Add it')} isReady={address.trim() !== ''} send={add}>
        <LineField
          label={t('New address on this chain')}
          class="in mono"
          spellcheck={false}
          placeholder="0x…"
          value={address}
          set={setAddress}
        />
      </LineForm>
      <p class="q xs">
        {t(
          'Your passkey agrees to it, and then it waits: a day with real money, a minute on a test chain. What is sent to a wrong address is lost.',
        )}
      </p>
    </>
  )
}
