import { createHash, createHmac } from 'node:crypto'

export type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }

type Unsigned = { url: URL; headers: Record<string, string>; body: string; region: string; service: string; at: Date }

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/**
 * The headers of a signed POST without a query (AWS Signature Version 4). Adds host, date and token to the given headers.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html
 */
export const signHeaders = ({ url, headers, body, region, service, at }: Unsigned, of: Credentials): Record<string, string> => {
  const stamp = at.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = stamp.slice(0, 8)
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-date': stamp,
    ...(of.sessionToken && { 'x-amz-security-token': of.sessionToken }),
  }
  const names = Object.keys(all).sort()
  const signedHeaders = names.join(';')
  const canonical = ['POST', url.pathname, '', ...names.map(name => `${name}:${all[name]}`), '', signedHeaders, hash(body)].join(
    '\n',
  )
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', stamp, scope, hash(canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${of.secretAccessKey}`)
  const signature = createHmac('sha256', key).update(toSign).digest('hex')
  const { host: _host, ...sent } = all
  const credential = `Credential=${of.accessKeyId}/${scope}`
  return { ...sent, authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}` }
}
