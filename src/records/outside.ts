import { z } from 'zod'
import { json, jsonObject } from '../domain/json.ts'
import { schemes } from '../domain/x402/x402.ts'

/** A resource of another service that catalogues list, as buyers find it. It is bought by POST /v1/purchases. */
export const outsideHit = z.object({
  url: z.string(),
  catalogue: z.string().describe('The catalogue that lists it'),
  method: z.enum(['GET', 'POST']),
  name: z.string().describe("The seller's own words"),
  description: z.string().describe("The seller's own words"),
  price: z.string().describe('USDC, decimal text, as it asked at the last check; in the scheme `upto` the most'),
  scheme: z.enum(schemes).describe('`upto`: it is charged by use, and costs at most the price'),
  payee: z.string(),
  network: z.string().describe('CAIP-2'),
  requirement: jsonObject.describe('JSON schema of the query or the body; empty where the seller names none'),
  example: json.nullable().describe("The seller's example of it"),
  words: z.string().describe('That it is outside: no escrow, when it was last seen alive, and how often it answered'),
  coverage: z.number().describe("Share (0–1) of the query's words that its listing contains"),
  place: z.number().describe('How many of the offerings come before it: they do the same at a like price'),
})
export type OutsideHit = z.infer<typeof outsideHit>
