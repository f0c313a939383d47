import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Operation, parseInput } from '../operations/operation.ts'
import type { ToolDeps } from './answer.ts'
import type { ToolView } from './fit.ts'

/** The chain of a tool. The service knows which chain an absent one means, so a tool sends none. */
export const onChain = { chain_id: z.number().int().optional() }

export type ToolEntry = {
  name: string
  title: string
  description: string
  annotations: ToolAnnotations
  operation: Operation
  input: z.ZodObject
  /** Schema of the result, without the next step. */
  output: z.ZodObject
  /**
   * Runs the operation with the arguments that the client sent.
   * @throws Problem invalid-input, and the problems of the operation
   */
  run(raw: unknown, deps: Pick<ToolDeps, 'call'>): Promise<(chars: number) => ToolView>
}

type ToolDefinition<O extends z.ZodType, I extends z.ZodObject> = Pick<
  ToolEntry,
  'name' | 'title' | 'description' | 'annotations' | 'output'
> & {
  operation: Operation & { output: O }
  input: I
  /** Converts the arguments to the operation's input. Without it the arguments are the input. */
  toInput?(args: z.output<I>): unknown
  /** @param of.chars maximum characters of a text in the view */
  show(output: z.output<O>, of: { args: z.output<I>; chars: number }): ToolView
}

/** Creates a tool from an operation, with arguments and a result that suit a model. */
export const tool = <O extends z.ZodType, I extends z.ZodObject>({ toInput, show, ...it }: ToolDefinition<O, I>): ToolEntry => ({
  ...it,
  async run(raw, { call }) {
    const args = parseInput(it.input, raw)
    const output = it.operation.output.parse(await call(it.operation, toInput ? toInput(args) : args))
    return chars => show(output, { args, chars })
  },
})

/**
 * The input schema as clients see it. Arguments are validated later, with the operation, so that an error has a problem type
 * and a next step.
 */
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

/**
 * Generates the JSON Schema of a tool's arguments. Keywords that restrict nothing are left out, because a model pays for each
 * character.
 */
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

/** The schema of a tool's result together with the next step. */
export const toOutputSchema = (output: z.ZodObject): z.ZodObject => output.extend({ next_step: z.string().optional() })
