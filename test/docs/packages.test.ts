import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { environment } from '../../src/settings.ts'
import { routes } from '../assembled.ts'

const root = new URL('../..', import.meta.url).pathname
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const lines = (name: string) =>
  read(name)
    .split('\n')
    .map(it => it.trim())
    .filter(it => it !== '' && !it.startsWith('#'))
const settings = Object.keys(environment.shape)

const dockerfile = lines('Dockerfile')
const unit = lines('docs/operations/agent-marketplace.service')
const service = z.looseObject({
  image: z.string(),
  environment: z.record(z.string(), z.string()),
  ports: z.array(z.string()),
  read_only: z.boolean(),
})
const compose = z
  .object({ services: z.object({ web: service, worker: service }), volumes: z.unknown() })
  .parse(parse(read('compose.yaml'), { merge: true }))

test('the image is built of files that exist, and starts the package that is built', () => {
  const copied = dockerfile.flatMap(it => (/^COPY (?!--from)(.+) \S+$/.exec(it)?.[1] ?? '').split(' ').filter(Boolean))
  expect(copied).toContain('package-lock.json')
  expect(copied.filter(it => !existsSync(join(root, it)))).toEqual([])
  const built = dockerfile.find(it => it.startsWith('RUN node '))?.slice('RUN node '.length) ?? ''
  expect(existsSync(join(root, built))).toBe(true)
  const bin = z.object({ bin: z.object({ market: z.string() }) }).parse(JSON.parse(read('package.json'))).bin.market
  const started = `node ${bin.replace('./', '')} start`
  expect(dockerfile.at(-1)).toBe(`CMD ${JSON.stringify(started.split(' ')).replaceAll(',', ', ')}`)
  expect(unit).toContain(`ExecStart=/usr/bin/${started}`)
})

test('image, compose file and systemd unit set settings that exist, and run without privileges', () => {
  const ofImage = dockerfile.flatMap(it => (it.startsWith('ENV ') ? [...it.matchAll(/(\w+)=/g)].map(([, name]) => name) : []))
  const ofCompose = [compose.services.web, compose.services.worker].flatMap(it => Object.keys(it.environment))
  const ofUnit = unit.flatMap(it =>
    it.startsWith('Environment=') ? [...it.slice(12).matchAll(/(\w+)=/g)].map(([, name]) => name) : [],
  )
  const unknown = [...ofImage, ...ofCompose, ...ofUnit].filter(it => it !== 'NODE_ENV' && !settings.includes(`${it}`))
  expect(unknown).toEqual([])
  expect([compose.services.web.environment.ROLE, compose.services.worker.environment.ROLE]).toEqual(['web', 'worker'])
  expect(dockerfile).toContain('USER node')
  expect([compose.services.web.read_only, compose.services.worker.read_only]).toEqual([true, true])
  expect(unit).toContain('NoNewPrivileges=true')
})

test('the compose file starts one image, demands its secrets, and opens no port to other machines', () => {
  const { web, worker } = compose.services
  expect(worker.image).toBe(web.image)
  for (const { environment: of } of [web, worker]) {
    expect(of.MASTER_KEY).toMatch(/^\$\{MASTER_KEY:\?.+\}$/)
    expect(of.DATABASE_URL).toContain(`:\${POSTGRES_PASSWORD}@database`)
  }
  // Compose refuses to start where a variable with `:?` is not set.
  expect(read('compose.yaml')).toMatch(/POSTGRES_PASSWORD: \$\{POSTGRES_PASSWORD:\?.+\}/)
  expect([...web.ports, ...worker.ports].filter(it => !it.startsWith('127.0.0.1:'))).toEqual([])
})

test('the health check of the image asks an address that is served', () => {
  const asked = /\/[a-z]+(?=`)/.exec(dockerfile.find(it => it.startsWith('HEALTHCHECK')) ?? '')?.[0]
  expect(routes.map(it => it.path)).toContain(asked)
})
