/** Attacks whose cost to other users is measured. */
export const attackNames = [
  ...(['postings', 'cards', 'messages', 'push', 'streams', 'lists', 'relay', 'registrations'] as const),
  ...(['schema', 'four-addresses', 'prefixes', 'polls', 'oauth'] as const),
] as const
export type AttackName = (typeof attackNames)[number]
