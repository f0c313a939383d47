import { z } from 'zod'
import { hex } from '../../domain/hex.ts'
import { remember } from '../../domain/text/remember.ts'

// Codecs of columns. A row is a zod shape whose fields are the columns in camel case; a row that does not fit is refused.

/** A column with 0 or 1 as a boolean. */
export const flag = z.number().transform(it => it === 1)
/** A column with decimal text as a bigint. */
export const amount = z.string().transform(it => BigInt(it))
/** An integer column as a bigint. */
export const whole = z.number().transform(it => BigInt(it))
/** A nullable column; null becomes undefined. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.nullable().transform(it => it ?? undefined)
/** A text column that contains JSON. */
export const jsonText = <T extends z.ZodType>(schema: T) => z.string().transform(parsed).pipe(schema)
/** Like `jsonText`, for texts that are read many times. Their values are shared, so nobody may change them. */
export const repeatedJson = <T extends z.ZodType>(schema: T) =>
  z.string().transform(remember({ results: 512, chars: 8_192 }, (text: string) => schema.parse(parsed(text))))
/** A column with bytes, such as a digest, as hex text. */
export const hexBytes = z
  .instanceof(Uint8Array)
  .transform(it => `0x${Buffer.from(it.buffer, it.byteOffset, it.byteLength).toString('hex')}`)
  .pipe(hex)

/** Parses the JSON of a column. @throws SyntaxError */
export const parsed = (text: string): unknown => JSON.parse(text)

export type RowOf<S extends z.ZodRawShape> = z.infer<z.ZodObject<S>>
