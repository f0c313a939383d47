import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Operation, parseInput } from '../operations/operation.ts'
import type { ToolDeps } from './answer.ts'
import type { Told } from './fit.ts'

export type ToolEntry = {
  name: string
  title: string
  description: string
  annotations: ToolAnnotations
  operation: Operation
  input: z.ZodObject
  /** What its answer contains, beside the next step. */
  output: z.ZodObject
  /** Does the operation for arguments as a client sent them. @throws Problem invalid-input and the operation's own */
  run(raw: unknown, deps: Pick<ToolDeps, 'call'>): Promise<(chars: number) => Told>
}

type Spoken<O extends z.ZodType, I extends z.ZodObject> = Pick<
  ToolEntry,
  'name' | 'title' | 'description' | 'annotations' | 'output'
> & {
  operation: Operation & { output: O }
  input: I
  /** The operation's input; the arguments themselves when absent. */
  toInput?(args: z.output<I>): unknown
  /** @param chars longest text of the view */
  show(output: z.output<O>, of: { args: z.output<I>; chars: number }): Told
}

/** A tool that is read off an operation, with arguments and an answer made for a model. */
export const tool = <O extends z.ZodType, I extends z.ZodObject>({ toInput, show, ...it }: Spoken<O, I>): ToolEntry => ({
  ...it,
  async run(raw, { call }) {
    const args = parseInput(it.input, raw)
    const output = it.operation.output.parse(await call(it.operation, toInput ? toInput(args) : args))
    return chars => show(output, { args, chars })
  },
})

/** Arguments as a client reads them. They are checked with the operation, so that a refusal has its name and its next step. */
export const toInputSchema = (input: z.ZodObject): StandardSchemaWithJSON<Record<string, unknown>> => {
  const written = toToolSchema(input)
  return {
    '~standard': {
      version: 1,
      vendor: 'agent-marketplace',
      validate: value => ({ value: z.record(z.string(), z.unknown()).catch({}).parse(value) }),
      jsonSchema: { input: () => written, output: () => written },
    },
  }
}

const ofEveryInteger = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])

/** JSON schema of arguments, without what is true of every schema here: a model pays for each character. */
export const toToolSchema = (input: z.ZodObject): Record<string, unknown> => {
  const { $schema: _dialect, ...written } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (ofEveryInteger.has(jsonSchema.maximum ?? 0)) delete jsonSchema.maximum
      if (ofEveryInteger.has(jsonSchema.minimum ?? 0)) delete jsonSchema.minimum
      delete jsonSchema.propertyNames
    },
  })
  return written
}

/** What a tool answers with, and the next step beside it. */
export const toOutputSchema = (output: z.ZodObject): z.ZodObject => output.extend({ next_step: z.string().optional() })
