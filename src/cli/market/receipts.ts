import { createPublicKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import { type JsonObject, jsonObject, parseJson } from '../../domain/json.ts'
import { findStatement, statementKeys } from '../../domain/x402/statements.ts'
import { type Host, runs } from './command.ts'

const header = z.object({ alg: z.literal('ES256'), kid: z.string() })

/** Adds `market receipt signed` and `market receipt verify`. */
export const addReceiptCommands = (receipt: Command, host: Host): void => {
  runs(receipt.command('signed').argument('<id>').description('print the signed receipt of a paid run, with its keys'), host, {
    example: 'market receipt signed run_1a2b',
    run: async ({ client, say }, _options, id: string) => {
      const found = jsonObject.parse(await client.get(`/runs/${encodeURIComponent(id)}/receipt`))
      say(JSON.stringify(found, null, 2))
      return { result: found }
    },
  })
  const verifyCommand = receipt
    .command('verify')
    .argument('<file>', 'a receipt, or the answer that has one')
    .option('--keys <file>', 'the JWK set of its issuer; by default the keys in the file, which then prove only each other')
    .description('verify a signed receipt without the network')
  runs(verifyCommand, host, {
    example: 'market receipt verify receipt.json --keys jwks.json',
    run: async ({ say }, { keys }: { keys?: string }, file: string) => {
      const text = await readFile(file, 'utf8')
      const { statement, kid } = verifyStatement(text, keys === undefined ? text : await readFile(keys, 'utf8'))
      say(`The signature is valid. Key: ${kid}`)
      if (keys === undefined) say('The key came with the file. Compare it with /.well-known/jwks.json of the issuer.')
      say(JSON.stringify(statement, null, 2))
      return { result: { valid: true, kid, statement } }
    },
  })
}

/**
 * Verifies a signed statement with the keys of its issuer (ES256).
 * @throws Error that says what does not fit
 */
const verifyStatement = (text: string, keyText: string): { statement: JsonObject; kid: string } => {
  const signed = findStatement(text)
  if (signed === undefined) throw new Error('The file has no signed receipt.')
  const [head = '', body = '', signature = ''] = signed.split('.')
  const { kid } = header.parse(parseJson(Buffer.from(head, 'base64url').toString('utf8')))
  const { keys } = statementKeys.parse(parseJson(keyText))
  const key = keys.find(it => it.kid === kid.slice(kid.indexOf('#') + 1))
  if (!key) throw new Error(`The keys have none with the id ${kid}.`)
  const { kty, crv, x, y } = key
  const publicKey = createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' })
  const sealed = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
  if (!verify('sha256', Buffer.from(`${head}.${body}`), sealed, Buffer.from(signature, 'base64url')))
    throw new Error('The signature is not valid: the receipt was changed, or somebody else made it.')
  return { statement: jsonObject.parse(parseJson(Buffer.from(body, 'base64url').toString('utf8'))), kid }
}
