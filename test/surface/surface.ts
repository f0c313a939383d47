import { Command } from 'commander'
import { z } from 'zod'
import { createButlerHandler } from '../../src/a2a/butler.ts'
import { addMarketCommands } from '../../src/cli/market/market.ts'
import { runEventKinds } from '../../src/domain/runs/runEvent.ts'
import { grantTools } from '../../src/mcp/grants.ts'
import { yesTools } from '../../src/mcp/hire.ts'
import type { Deps } from '../../src/operations/operation.ts'
import { addOperatorCommands } from '../../src/operatorCommands.ts'
import { asking, routes, tools } from '../assembled.ts'

/** The public surface as lines of text, by door. A line has one member, option, method or kind. */
export type Surface = Record<string, string[]>

type Schema = z.core.JSONSchema.BaseSchema

const isSchema = (it: unknown): it is Schema => typeof it === 'object' && it !== null

/** The members of a schema, one a line: `data[].price?: string`. A question mark says that the member may be absent. */
export const membersOf = (schema: z.ZodType, io: 'input' | 'output'): string[] => {
  const whole = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline', cycles: 'ref' })
  return [...new Set(follow(whole, ''))].toSorted()
}

const follow = (it: Schema, path: string): string[] => {
  const own = `${path}: ${typeOf(it)}`
  const variants = [...(it.anyOf ?? []), ...(it.oneOf ?? []), ...(it.allOf ?? [])].filter(isSchema)
  const required = new Set(it.required)
  return [
    ...(path === '' || variants.length > 0 ? [] : [own]),
    ...variants.flatMap(of => follow(of, path)),
    ...Object.entries(it.properties ?? {}).flatMap(([name, of]) =>
      isSchema(of) ? follow(of, `${path && `${path}.`}${name}${required.has(name) ? '' : '?'}`) : [],
    ),
    ...(isSchema(it.items) && !Array.isArray(it.items) ? follow(it.items, `${path}[]`) : []),
  ]
}

const typeOf = ({ type, enum: values, const: value }: Schema): string => {
  if (values) return values.map(it => JSON.stringify(it)).join(' | ')
  return value === undefined ? [type ?? 'any'].flat().join(' | ') : JSON.stringify(value)
}

/** Every operation with its routes, and the members of its input and output. */
const operationsOf = (): Surface => {
  const byName = Map.groupBy(routes, it => it.operation.name)
  const surface: Surface = {}
  for (const [name, of] of byName) {
    const [first] = of
    if (!first) continue
    surface[`operation ${name}`] = of.map(it => `${it.method} ${it.path}${it.stream ? ` (${it.stream})` : ''}`)
    surface[`input of ${name}`] = membersOf(first.operation.input, 'input')
    surface[`output of ${name}`] = membersOf(first.operation.output, 'output')
  }
  return surface
}

const commandsOf = (command: Command, path = 'market'): string[] =>
  command.commands.flatMap(it => {
    const name = `${path} ${it.name()}`
    return [name, ...it.options.map(option => `${name} ${option.flags}`), ...commandsOf(it, name)]
  })

const commandLine = (): string[] => {
  const program = new Command('market')
  const host = { env: {}, fallbackUrl: '', stopped: () => Promise.resolve() }
  addMarketCommands(program, program.command('agent'), host)
  addOperatorCommands(program)
  return commandsOf(program)
}

const a2aMethods = (): string[] =>
  // The handler is not called, so it reaches nothing.
  Object.keys(createButlerHandler({ deps: {} as Deps, caller: { wallet: undefined }, log: () => undefined }))

/** The tools that need no yes, and those that do. */
const allTools = [...tools, ...yesTools, ...asking, ...grantTools]

/** Computes the surface that clients know: operations, tools, events, commands and methods. */
export const readSurface = (): Surface => {
  const surface: Surface = {
    'A2A methods': a2aMethods(),
    'command line': commandLine(),
    'event kinds': [...runEventKinds],
    'MCP tools': allTools.map(it => it.name),
    ...Object.fromEntries(allTools.map(it => [`input of tool ${it.name}`, membersOf(it.input, 'input')])),
    ...operationsOf(),
  }
  return Object.fromEntries(Object.entries(surface).map(([door, lines]) => [door, lines.toSorted()]))
}

/** What is missing from one surface and what is new in it, one sentence a line. */
export const compareSurfaces = (pinned: Surface, now: Surface): string[] =>
  [...new Set([...Object.keys(pinned), ...Object.keys(now)])].toSorted().flatMap(door => {
    const [before, after] = [new Set(pinned[door]), new Set(now[door])]
    return [
      ...[...before].filter(it => !after.has(it)).map(it => `${door} no longer has ${it}`),
      ...[...after].filter(it => !before.has(it)).map(it => `${door} has the new ${it}`),
    ]
  })
