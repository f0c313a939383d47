export const slipLabelKeys = ['youGet', 'when', 'approve', 'change', 'no', 'details', 'leftOut'] as const
export type SlipLabels = Record<(typeof slipLabelKeys)[number] | 'approveAnyway', string>

export const englishLabels: SlipLabels = {
  youGet: 'You get',
  when: 'When',
  approve: 'Approve {sum}',
  change: 'Change',
  no: 'No, thanks',
  details: 'Details',
  leftOut: 'Left out: {text}. The agent does not get this.',
  approveAnyway: ' all the same',
}
