/** What the leader of no chain leads: an office that is no chain id. */
export const housekeeping = 0
