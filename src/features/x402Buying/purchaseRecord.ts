import { toCaip2 } from '../../domain/chains/chains.ts'
import { limits } from '../../domain/limits.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { isRefused, schemeIn, transferMethodOf } from '../../domain/x402/purchase.ts'
import { chainOf, type Deps } from '../../operations/operation.ts'
import { renamed } from '../../operations/renamed.ts'
import type { Purchase } from '../../ports.ts'
import type { PurchaseRecord } from '../../records/purchase.ts'

export const toPurchaseRecord = (deps: Pick<Deps, 'chains'>, it: Purchase): PurchaseRecord => ({
  purchase_id: it.id,
  state: isRefused(it) ? 'refused' : it.state,
  ...renamed(it, ['url', 'method', 'asset', 'description', 'outside', 'digest', 'reason']),
  price: formatUsdc(it.amount, chainOf(deps, it.chainId).usdcDecimals),
  currency: 'USDC',
  payer: it.wallet,
  payee: it.payTo,
  transfer_method: transferMethodOf(it),
  scheme: schemeIn(it),
  paid: it.state === 'paid' ? formatUsdc(it.taken ?? it.amount, chainOf(deps, it.chainId).usdcDecimals) : null,
  network: toCaip2(it.chainId),
  lapses_at: new Date(it.createdAt + limits.proposalMs).toISOString(),
  mandate_id: it.mandateId ?? null,
  status: it.status ?? null,
  content_type: it.contentType ?? '',
  content: it.content ?? '',
  bytes: it.answerBytes ?? null,
  ending: it.answerEnding ?? null,
  parts: it.answerParts,
  transaction: it.hash ?? null,
})
