/** Task of a purchase. @param price decimal USDC */
export const toPurchaseTask = (price: string, { method, url }: { method: string; url: string }): string =>
  `Pay ${price} USDC for ${method} ${url}`

export const toPurchaseConfirmedText = (task: string, hasMandate: boolean): string =>
  hasMandate ? `Confirmed by your mandate: ${task}.` : `Confirmed: ${task}.`

/**
 * Text of a confirmed hire.
 * @param total decimal USDC
 * @param left text about the rest of the mandate; undefined when the user confirmed the hire
 */
export const toHireConfirmedText = (total: string, left: string | undefined): string => {
  const cost = total === '0' ? 'it costs nothing' : `${total} USDC go into escrow`
  return left === undefined ? `Confirmed: ${cost}.` : `Confirmed by your mandate: ${cost}; ${left}.`
}

type Rest = { left: string; mandate: { max_per_period: string; period: string; mandate_id: string } }

/** Text about the rest of a mandate. @param left decimal USDC */
export const toMandateLeftText = ({ left, mandate }: Rest): string =>
  `${left} of ${mandate.max_per_period} USDC a ${mandate.period} left under ${mandate.mandate_id}`

/** Why the user is asked about a hire that a mandate covered before. */
export const toNotCoveredText = (why: string): string => `Your mandate no longer covers it, so I ask: ${why}.`

/** Why a mandate does not cover a hire: it ended meanwhile. */
export const mandateEnded = 'it was revoked or has ended'

/** Refusal of a usage price where the escrow is of an earlier release. */
export const unusedStays = 'The escrow of this chain cannot return an unused part, so nothing is hired there at a price by use.'

export const fileMissing = 'A file of the input is gone, or it is no file of yours. Upload it again.'
export const agentBlocked = 'You blocked this agent, so I do not hire it.'
export const offeringChanged = 'The offering changed since I proposed it.'

/** Why a hire is refused. @param balance decimal USDC @param total decimal USDC */
export const toInsufficientText = (balance: string, total: string): string =>
  `Your wallet holds ${balance} USDC and the hire costs ${total} USDC. Add USDC to it, or ask for something cheaper.`

export const gasRefused =
  'The treasury pays no more gas for your wallet today. Try again tomorrow. Nothing was hired and nothing was paid.'

/** Text of a message to an agent that is called without a hire. */
export const toCalledText = (name: string): string => `Your message goes to ${name}. It costs nothing.`
