import { z } from 'zod'

/**
 * Whether a plan waits for its yes, runs, or is over. `declined`: the user said no, another plan took its place, or its wallet
 * lacked the total, and nothing of it was bought.
 */
export const planState = z.enum(['proposed', 'running', 'ended', 'declined'])
export type PlanState = z.infer<typeof planState>

/**
 * Where a step is. `waiting`: it is not escrowed. `asking`: its user is shown a filled value first. `delivered`: the deliverable
 * is judged. `refunded`: its escrow came back, or is on its way back. `failed`: it was never escrowed, and cannot be.
 */
export const planStepState = z.enum(['waiting', 'asking', 'working', 'delivered', 'paid', 'refunded', 'skipped', 'failed'])
export type PlanStepState = z.infer<typeof planStepState>

/** How a value of a deliverable becomes a value of an input without a loss. Absent where the types are the same. */
export const conversion = z.enum(['text', 'list', 'joined'])
export type Conversion = z.infer<typeof conversion>

/**
 * A value that a step takes from the accepted deliverable of an earlier one. `path` is a JSON Pointer (RFC 6901); an empty one
 * means the whole deliverable.
 */
export const reference = z.object({
  from: z.number().int().min(1).describe('Number of the earlier step'),
  path: z.string().describe('JSON Pointer into its deliverable; empty for the whole text'),
  before: z.string().optional().describe("The user's words that stand before the value in a text"),
  as: conversion
    .optional()
    .describe('text: a number as text; list: one value as a list of one; joined: a list as one text, a line each'),
})
export type Reference = z.infer<typeof reference>
