import { z } from 'zod'
import type { Address } from '../domain/hex.ts'
import { Problem } from '../domain/problem.ts'
import { type Deps, type Operation, operation, userOf } from './operation.ts'

type Ending<I extends z.ZodType> = {
  name: string
  summary: string
  input: I
  /** What is said where the caller has no such thing. */
  missing: string
  /** Whether the caller had such a thing, which is ended now. */
  end(input: z.output<I>, deps: Deps, wallet: Address): Promise<boolean>
}

export const endOwn = <I extends z.ZodType>({ missing, end, ...of }: Ending<I>): Operation =>
  operation({
    ...of,
    output: z.object({ ended: z.literal(true) }),

    async run(input, deps, caller) {
      if (!(await end(input, deps, userOf(caller)))) throw new Problem('not-found', missing)
      return { ended: true as const }
    },
  })
