import { type Schema, Validator } from '@cfworker/json-schema'
import { expect } from 'vitest'
import { z } from 'zod'
import { get } from './wire.ts'

const openapi = z.looseObject({
  components: z.looseObject({}),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.looseObject({}) }))),
})
const promise = z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.looseObject({}) })) })
const responsesOf = z.record(z.string(), z.looseObject({}))

/** Returns a function that validates a response of 200 or 201 against the service's OpenAPI document. */
export const readDocument = async (url: string) => {
  const document = openapi.parse((await get(url, '/openapi.json')).json)
  return <T extends z.ZodType>(route: string, schema: T, answer: { status: number; json: unknown }): z.output<T> => {
    const [method = '', path = ''] = route.split(' ')
    const responses = responsesOf.parse(document.paths[path]?.[method]?.responses)
    const status = '200' in responses ? 200 : 201
    const { content } = promise.parse(responses[status])
    expect([route, answer.status, answer.status === status ? '' : answer.json]).toEqual([route, status, ''])
    const wanted: Schema = { ...content['application/json']?.schema, components: document.components }
    expect([route, new Validator(wanted, '2020-12').validate(answer.json).errors]).toEqual([route, []])
    return schema.parse(answer.json)
  }
}
