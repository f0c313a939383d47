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
  run(raw: unknown, deps: Pick<ToolDeps, 'call'> & { asksByForm: boolean }): Promise<(chars: number) => ToolView>
}

type ToolDefinition<O extends z.ZodType, I extends z.ZodObject> = Pick<
  ToolEntry,
  'name' | 'title' | 'description' | 'annotations' | 'output'
> & {
  operation: Operation & { output: O }
  input: I
  /** Converts the arguments to the operation's input. Without it the arguments are the input. */
  toInput?(args: z.output<I>): unknown
  /** Checks the caller's right to the call. @throws Problem */
  before?(args: z.output<I>, deps: Pick<ToolDeps, 'call'>): Promise<void>
  /** The URL where the user answers what the output asks. A client that asks by a form needs none. */
  link?(output: z.output<O>, deps: Pick<ToolDeps, 'call'>): Promise<string | undefined>
  /** @param of.chars maximum characters of a text in the view */
  show(output: z.output<O>, of: { args: z.output<I>; chars: number; link: string | undefined }): ToolView
}

/** Creates a tool from an operation, with arguments and a result that suit a model. */
export const tool = <O extends z.ZodType, I extends z.ZodObject>({
  toInput,
  before,
  link: toLink,
  show,
  ...it
}: ToolDefinition<O, I>): ToolEntry => ({
  ...it,
  async run(raw, { call, asksByForm }) {
    const args = parseInput(it.input, raw)
    await before?.(args, { call })
    const output = it.operation.output.parse(await call(it.operation, toInput ? toInput(args) : args))
    const link = asksByForm ? undefined : await toLink?.(output, { call })
    return chars => show(output, { args, chars, link })
  },
})

type Written = (schema: z.ZodObject) => StandardSchemaWithJSON<Record<string, unknown>>

/** Keeps what was made of a schema, because each request has a server of its own. */
const once = (make: Written): Written => {
  const known = new WeakMap<z.ZodObject, ReturnType<Written>>()
  return schema => {
    const made = known.get(schema) ?? make(schema)
    known.set(schema, made)
    return made
  }
}

/**
 * The input schema as clients see it. Arguments are validated later, with the operation, so that an error has a problem type
 * and a next step.
 */
export const toInputSchema = once(input => {
  const written = toToolSchema(input)
  return {
    '~standard': {
      version: 1,
      vendor: 'agent-marketplace',
      validate: value => ({ value: z.record(z.string(), z.unknown()).catch({}).parse(value) }),
      jsonSchema: { input: () => written, output: () => written },
    },
  }
})

/** A text bound above this many characters is left out: a model would not reach it, and the operation checks it. */
const toldChars = 64
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
      if ((jsonSchema.maxLength ?? 0) > toldChars) delete jsonSchema.maxLength
      delete jsonSchema.propertyNames
    },
  })
  return written
}

/**
 * The schema of a tool's result, with the next step. Clients see the type of each member only, because each client reads the
 * schemas of all tools; a result is validated by the whole schema before it is sent.
 */
export const toOutputSchema = once(output => {
  const whole = output.extend({ next_step: z.string().optional() })
  const written = outlineOf(z.toJSONSchema(whole, { unrepresentable: 'any' }))
  const { validate } = whole['~standard']
  const jsonSchema = { input: () => written, output: () => written }
  return { '~standard': { version: 1, vendor: 'agent-marketplace', validate, jsonSchema } }
})

/**
 * The types of the members that are always present, and the names of optional objects. Older clients refuse a schema with
 * `$schema`, so it has none.
 */
const outlineOf = ({ properties = {}, required = [] }: z.core.JSONSchema.BaseSchema): Record<string, unknown> => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).flatMap(([name, it]) => {
      const type = typeof it === 'object' ? it.type : undefined
      return required.includes(name) || type === 'object' ? [[name, type ? { type } : {}]] : []
    }),
  ),
  required,
})
