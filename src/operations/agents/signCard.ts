import { AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk'
import { type JsonObject, jsonObject } from '../../domain/json.ts'
import type { Access } from '../identityParts.ts'

/**
 * A card with a signature of this service (A2A 1.0, 8.4): a JWS over the canonical members of 1.0, by a key of
 * `/.well-known/jwks.json`. Other members are not signed. Without a signer the card has none.
 */
export const signCard = async (card: JsonObject, sign: Access['sign'] | undefined): Promise<JsonObject> => {
  if (!sign) return card
  const signed = jsonObject.parse(JSON.parse(canonicalizeAgentCard(AgentCard.fromJSON(card))))
  const [protectedHeader = '', , signature = ''] = (await sign(signed, 'JOSE')).split('.')
  return { ...card, signatures: [{ protected: protectedHeader, signature }] }
}
