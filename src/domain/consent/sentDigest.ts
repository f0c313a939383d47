import { z } from 'zod'
import { shownChars } from './digest.ts'

/** A digest as a program sends it: all 32 characters; for terms that an earlier release stored, as many as they have. */
export const sentDigest = z.string().min(shownChars).max(64)
