import { z } from 'zod'
import { operation } from '../../operations/operation.ts'
import { outsideTables } from './ports.ts'

/** Kinds of refusal that are listed. */
const refusals = 50

export const listCatalogues = operation({
  name: 'listCatalogues',
  summary: 'The catalogues of other services that are read here, what of them is shown, and what is refused, by name.',
  caller: 'anyone',
  input: z.object({}),
  output: z.object({
    catalogues: z.array(
      z.object({
        url: z.string(),
        listed: z.number(),
        refused: z.number().describe('Listings that ask for something that is not spoken here'),
        shown: z.number().describe('Listings that passed their last check'),
        read_at: z.string().describe('ISO 8601; when it was last read to its end; empty when it never was'),
        reason: z.string().describe('Why the last attempt failed'),
      }),
    ),
    refused: z.array(z.object({ refusal: z.string(), listings: z.number() })),
  }),

  async run(_, { store, settings }) {
    if (!settings.catalogues) return { catalogues: [], refused: [] }
    const counts = await outsideTables(store).countListings()
    return {
      catalogues: counts.map(({ readAt, ...it }) => ({
        ...it,
        read_at: readAt === undefined ? '' : new Date(readAt).toISOString(),
      })),
      refused: await outsideTables(store).countRefused(refusals),
    }
  },
})
