import type { Listing } from '../../src/domain/offerings/offering.ts'

export const agent = (number: number) => `97:0x8004a818bfb912233c491871b3d84c89a494bd9e:${number}`

export const listing = (of: Partial<Listing> & Pick<Listing, 'name'>): Listing => ({
  id: 'offering',
  description: '',
  price: '1',
  jobInput: '',
  jobOutput: '',
  requirement: {},
  deliverable: {},
  slaMinutes: 5,
  requiredFunds: false,
  restricted: false,
  hide: false,
  active: true,
  agentId: agent(1),
  agentHandle: 'agent',
  agentName: 'Agent',
  chainId: 97,
  version: 1,
  ...of,
})
