import { createLater } from '../client/later.ts'
import { t } from '../client/words.ts'
import { CopyButton } from '../parts/copy.tsx'

const codes = createLater(() => import('uqr'))

/** The quiet zone around a QR code, in modules (ISO/IEC 18004). */
const quiet = 4

const AddressCode = ({ address }: { address: string }) => {
  const rows = codes.use()?.encode(address, { border: quiet }).data
  if (!rows) return null
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg class="qr" viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={`QR: ${address}`}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

type Props = { address: string; chain: string; usdc: string }

const sendHere =
  'Send USDC on {chain} to this address. No other token and no other chain counts. It pays for jobs you said yes to. Only you can withdraw it. You can also withdraw common tokens that arrive by mistake, such as USDT. For any other, ask who runs this market.'

/** The address to which the user sends money on one chain, with the only token that counts there. */
export const AddMoney = ({ address, chain, usdc }: Props) => (
  <details>
    <summary class="btn small">{t('Add money')}</summary>
    <p class="s after">{t(sendHere, { chain })}</p>
    <AddressCode address={address} />
    <p class="row wrap">
      <code class="mono whole">{address}</code>
      <CopyButton text={address} />
    </p>
    <p class="q xs">
      USDC, {chain}: <code class="mono whole">{usdc}</code>
    </p>
  </details>
)
