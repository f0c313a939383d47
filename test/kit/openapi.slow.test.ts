import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openOpenApi } from '../../src/kit/wrap/openapi.ts'

const openDocument = async (document: object) => {
  const dir = await mkdtemp(join(tmpdir(), 'openapi-'))
  const file = join(dir, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  try {
    return await openOpenApi(file, { only: [], env: {} })
  } finally {
    await rm(dir, { recursive: true })
  }
}

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const posting = (schema: object) => ({
  post: {
    operationId: 'post',
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 200: { description: 'Done.' } },
  },
})

test('references that double at each level are followed to a limit, and other operations are sold', async () => {
  const levels = Array.from({ length: 40 }, (_, at) => [
    `level${at}`,
    { type: 'object', properties: { a: refTo(`level${at + 1}`), b: refTo(`level${at + 1}`) } },
  ])
  const schemas = { ...Object.fromEntries(levels), level40: { type: 'string' } }
  const small = { get: { operationId: 'small', responses: { 200: { description: 'Done.' } } } }
  const paths = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`/p${at}`, posting(refTo('level0'))]))
  const document = { openapi: '3.1.0', info: { title: 'Doubling' }, servers: [{ url: 'http://127.0.0.1' }] }
  const whole = { ...document, components: { schemas }, paths: { ...paths, '/small': small } }
  const source = await openDocument(whole)
  expect(source.capabilities.map(it => it.id)).toEqual(['small'])
  expect(source.leftOut).toHaveLength(100)
  expect(source.leftOut?.[0]?.reason).toContain('too many parts')
})
