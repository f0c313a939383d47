import { recoverMessageAddress } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { cityClock } from '../../docs/examples/agents/cityClock.ts'
import { textDigest } from '../../docs/examples/agents/textDigest.ts'
import { address, hex } from '../../src/domain/hex.ts'
import { registrationMessage } from '../../src/domain/net/wireTexts.ts'
import { isListed } from '../../src/domain/offerings/offering.ts'
import { registrationBody, toRegistration } from '../../src/domain/offerings/registration.ts'
import { signInText } from '../../src/identity/proofs.ts'
import { describeRegistration } from '../../src/kit/kit.ts'
import { developer, echo, platformOfTest, run } from './agents.ts'
import { agentId } from './platform.ts'

const keys = [
  'handle',
  'card',
  'skills',
  'tasks',
  'cost_model',
  'price',
  'jobOfferings',
  'jobResources',
  'metadata',
  'endpoint_url',
  'chain_id',
]
const cardKeys = [
  'type',
  'name',
  'description',
  'url',
  'x402support',
  'active',
  'version',
  'services',
  'registrations',
  'supportedTrust',
  'capabilities',
  'authentication',
  'defaultInputModes',
  'defaultOutputModes',
  'skills',
  'jobOfferings',
  'jobResources',
  'trustModels',
]

test('the registration has exactly the keys of existing clients, and a token is sent as bearer', async () => {
  const platform = await platformOfTest()
  const running = await run(echo(platform.url))
  const [registration] = await platform.told('/agents/register')

  expect(registration?.authorization).toBe('Bearer a.b.c')
  expect(Object.keys(registration?.body ?? {})).toEqual(keys)
  expect(Object.keys(Object(registration?.body.card))).toEqual(cardKeys)
  expect(registration?.body).toMatchObject({
    handle: 'echo',
    skills: [{ name: 'Echo', description: 'Repeats a text', inputs: [], outputs: [] }],
    tasks: [{ name: 'Echo', description: 'Repeats a text' }],
    cost_model: { base_call_fee: 0.002, custom_fees: {} },
    price: { amount: 0.002, currency: 'USD' },
    jobOfferings: [
      {
        id: 'echo',
        type: 'JOB',
        price: 0,
        priceV2: { type: 'fixed', amount: 0.02, currency: 'USDC' },
        slaMinutes: 1,
        active: true,
      },
    ],
    metadata: { via_gateway: true },
    endpoint_url: '',
    chain_id: 97,
  })
  expect(running.agentId()).toBe(agentId)
})

test('resources and fees of an agent are registered, and a resource without an address is refused', async () => {
  const platform = await platformOfTest()
  const resources = [{ id: 'docs', name: 'Guide', url: 'https://agent.test/guide' }]
  await run({ ...echo(platform.url), resources, costModel: { baseCallFee: 0.01, customFees: { rush: 0.5 } } })
  const [registration] = await platform.told('/agents/register')
  const registered = [{ ...resources[0], type: 'RESOURCE', description: '' }]
  expect(registration?.body).toMatchObject({
    ...{ jobResources: registered, card: { jobResources: registered } },
    cost_model: { base_call_fee: 0.01, custom_fees: { rush: 0.5 } },
  })
  const without = [{ id: 'docs', name: 'Guide' }]
  expect(() => describeRegistration(Object.assign(echo(platform.url), { resources: without }), platform.url)).toThrow('url')
})

test('with a private key the registration is signed by its wallet, and carries no bearer', async () => {
  const platform = await platformOfTest()
  await run({ ...echo(platform.url), credential: { privateKey: developer.privateKey } })
  const [registration] = await platform.told('/agents/register')

  expect(registration?.authorization).toBeUndefined()
  expect(Object.keys(registration?.body ?? {})).toEqual([...keys, 'user_id', 'signature', 'message'])
  expect(registration?.body.user_id).toBe(developer.address)
  expect(registration?.body.message).toBe(registrationMessage)
  const signature = hex.parse(registration?.body.signature)
  expect(await recoverMessageAddress({ message: registrationMessage, signature })).toBe(developer.address)
  // The signature that clients in other languages create for this key and text.
  expect(signature).toBe(
    '0xe3af9d802998759c2b4dc4eb2faa96e4cce4968c23fa9ce409344fc52a4d1bc6616f8e7b8cce12915e2ba92d3924e33171849f259b4bb919b332bf26190664c51b',
  )
})

test('the platform reads a registration as its author wrote it', async () => {
  const platform = await platformOfTest()
  for (const make of [cityClock, textDigest]) {
    const { stop } = await make({ platformUrl: platform.url, credential: { token: 'a.b.c' }, port: 0 }).start()
    onTestFinished(stop)
  }
  const bodies = (await platform.told('/agents/register', 2)).map(it => toRegistration(registrationBody.parse(it.body)))

  expect(bodies.map(it => [it.handle, it.name, it.viaGateway, it.endpointUrl, it.chainId])).toEqual([
    ['city-clock', 'City Clock', true, undefined, 97],
    ['text-digest', 'Text Digest', true, undefined, 97],
  ])
  const offerings = bodies.flatMap(it => it.offerings)
  expect(offerings.map(it => [it.id, it.price, it.slaMinutes, isListed(it)])).toEqual([
    ['local-time', '0.05', 1, true],
    ['summarize-text', '0.1', 1, true],
    ['extract-keywords', '0.04', 1, true],
  ])
  for (const it of offerings) expect(it.requirement).toHaveProperty('required')
})

test('two starts on different ports send the same registration', async () => {
  const platform = await platformOfTest()
  await run(echo(platform.url))
  await run(echo(platform.url))
  const [first, second] = await platform.told('/agents/register', 2)
  expect(second?.body).toEqual(first?.body)
})

test('an agent with a public address and no gateway registers that address and never polls', async () => {
  const platform = await platformOfTest()
  const endpointUrl = 'https://echo.example'
  const { url } = await run({ ...echo(platform.url), endpointUrl, viaGateway: false })
  const [registration] = await platform.told('/agents/register')
  expect(registration?.body).toMatchObject({ endpoint_url: endpointUrl, metadata: {}, card: { url: endpointUrl } })
  expect(await (await fetch(url)).json()).toMatchObject({ url: endpointUrl })
  expect(platform.polls).toEqual([])
})

test('an invalid private key is refused when the agent is created', async () => {
  await expect(run({ ...echo('http://127.0.0.1:1'), credential: { privateKey: 'secret' } })).rejects.toThrow('must be 0x')
})

test('an agent without an id does not poll; it polls under its id once it is registered', async () => {
  const platform = await platformOfTest()
  platform.failures.register = 3
  const lines: string[] = []
  const running = await run({ ...echo(platform.url), log: line => lines.push(line) })

  expect(running.agentId()).toBe('')
  await platform.polledBy(agentId)
  expect(running.agentId()).toBe(agentId)
  expect(new Set(platform.polls)).toEqual(new Set([agentId]))
  expect(lines).toContain(
    `warning: not registered at ${platform.url} yet (503: not now); the agent serves locally and tries again`,
  )
})

test.each([409, 401, 422] as const)(
  'an agent whose registration is refused with %s stops with the reason, and never polls',
  async status => {
    const platform = await platformOfTest()
    platform.refuseWith(status, { code: 'handle-taken', detail: 'Another owner has this handle.', pointer: '/handle' })
    const lines: string[] = []
    const starting = run({ ...echo(platform.url), log: line => lines.push(line) })

    await expect(starting).rejects.toThrow(`${status} handle-taken: Another owner has this handle. (at /handle)`)
    const url = lines.map(it => /listens on (\S+)/.exec(it)?.[1]).find(it => it !== undefined)
    await expect(fetch(`${url}/health`)).rejects.toThrow()
    expect(platform.polls).toEqual([])
  },
)

const asked = {
  wallet: address.parse(developer.address.toLowerCase()),
  ...{ chainId: 97, statement: 'Register.', nonce: 'abcdef0123456789', at: 0 },
}

test.each([
  ['no sign-in text', () => 'sign this'],
  ['for another host', () => signInText('https://shop.example', asked)],
  ['for another wallet', (url: string) => signInText(url, { ...asked, wallet: `0x${'1'.repeat(40)}` })],
])('a challenge that is %s is not signed, and the agent stops', async (_name, toMessage) => {
  const platform = await platformOfTest()
  const challenge = { message: toMessage(platform.url) }
  platform.refuseWith(428, { code: 'fresh-proof-required', detail: 'Prove the wallet.', challenge }, 1)
  const options = { ...echo(platform.url), credential: { privateKey: developer.privateKey } }
  await expect(run(options)).rejects.toThrow('428 fresh-proof-required: Prove the wallet.')
  expect(await platform.told('/agents/register')).toHaveLength(1)
})

test('a challenge of the platform is signed with the wallet, and the same body is sent again', async () => {
  const platform = await platformOfTest()
  const message = signInText(platform.url, asked)
  platform.refuseWith(428, { code: 'fresh-proof-required', detail: 'Prove the wallet.', challenge: { message } }, 1)
  const running = await run({ ...echo(platform.url), credential: { privateKey: developer.privateKey } })

  expect(running.agentId()).toBe(agentId)
  const [first, second] = await platform.told('/agents/register', 2)
  expect(second?.body).toEqual({ ...first?.body, message, signature: expect.any(String) })
  const signature = hex.parse(second?.body.signature)
  expect(await recoverMessageAddress({ message, signature })).toBe(developer.address)
})

test('a refusal that comes after an outage stops the agent too', async () => {
  const platform = await platformOfTest()
  platform.failures.register = 1
  const lines: string[] = []
  const before = process.exitCode
  const log = (line: string) => {
    lines.push(line)
    platform.refuseWith(409, { detail: 'Taken.' })
  }
  // The agent logs its address before it registers; the platform fails once and then refuses.
  await run({ ...echo(platform.url), log })
  await platform.told('/agents/register', 2)
  await expect.poll(() => lines.at(-1)).toBe('error: the platform refused the registration: 409: Taken.')
  expect([process.exitCode, platform.polls]).toEqual([1, []])
  process.exitCode = before
})

test('an agent that starts before the platform registers and works once the platform is up', async () => {
  const before = await platformOfTest()
  await before.close()
  const running = await run(echo(before.url))
  expect(await (await fetch(`${running.url}/health`)).json()).toEqual({ status: 'healthy', agent: 'echo' })

  const platform = await platformOfTest(before.port)
  platform.queue('job_late', 'hello')
  const [completion] = await platform.told('/gateway/jobs/complete')
  expect(completion?.body).toMatchObject({ job_id: 'job_late', status: 'completed', result: { response: 'again: hello' } })
  await platform.polledBy(agentId)
})
