import { z } from 'zod'
import { operation } from '../operation.ts'

export const startAuthorization = operation({
  name: 'startAuthorization',
  summary: 'Start an authorization session; the user opens auth_url and approves with their wallet.',
  caller: 'anyone',
  input: z.unknown(), // existing clients send the JSON text true
  output: z.object({ code: z.string(), auth_url: z.string(), authUrl: z.string() }),

  async run(_input, { identity, settings }) {
    const { code } = await identity.begin()
    const url = `${settings.publicUrl}/authorize?code=${code}`
    return { code, auth_url: url, authUrl: url }
  },
})
