import { isObject, type JsonObject } from '../json.ts'
import { fieldsOf, isDescribed } from '../schemas/schema.ts'
import { toQuotable } from '../text/quotableText.ts'
import { distance } from '../text/spelling.ts'
import { offeringMembers, type Registration, type RegistrationBody } from './registration.ts'
import { callFeeOf, costModelOf, resourcesOf } from './resources.ts'

const most = 20
const nameChars = 40
const maxEdits = 2

/**
 * Warnings about members of a registration that have no effect, or not the intended one. They are returned with the response.
 * @param chain whether the chain has a validation registry
 */
export const warningsOf = (
  body: RegistrationBody,
  { offerings }: Registration,
  { validates }: { validates: boolean },
): string[] => {
  const listed = body.job_offerings ?? body.jobOfferings ?? body.card?.jobOfferings ?? []
  return [
    ...(offerings.length === 0 ? ['Without offerings nobody can find or hire this agent; it can be called by its handle.'] : []),
    ...listed.flatMap((it, at) => unknownMembers(it).map(words => `/job_offerings/${at}: ${words}`)),
    ...offerings.flatMap(({ requirement, deliverable }, at) => [
      ...undescribed(requirement).map(words => `/job_offerings/${at}/requirement: ${words}`),
      ...undescribed(deliverable).map(words => `/job_offerings/${at}/deliverable: ${words}`),
    ]),
    ...offerings.flatMap(({ validation }, at) =>
      validation && !validates
        ? [`/job_offerings/${at}/validation: this chain has no validation registry, so it has no effect.`]
        : [],
    ),
    ...leftOut(body),
  ].slice(0, most)
}

const named = (name: string) => toQuotable(name, nameChars)

const unknownMembers = (offering: object): string[] =>
  Object.keys(offering)
    .filter(name => !offeringMembers.has(name))
    .map(name => {
      const near = nearestOf(name)
      return `the member ${named(name)} is not known${near ? `; did you mean ${near}?` : ' and has no effect.'}`
    })

const nearestOf = (name: string): string | undefined => {
  const edits = [...offeringMembers].map(known => ({ known, by: distance(name.slice(0, nameChars), known, maxEdits) }))
  const [nearest] = edits.filter(it => it.by !== undefined && it.by <= maxEdits).sort((a, b) => Number(a.by) - Number(b.by))
  return nearest?.known
}

const undescribed = (schema: JsonObject): string[] =>
  isObject(schema.properties)
    ? fieldsOf(schema)
        .filter(it => it.required && !isDescribed(schema, it.name))
        .map(it => `${named(it.name)} is required and no property describes it.`)
    : []

const leftOut = (body: RegistrationBody): string[] => {
  const resources = body.job_resources ?? body.jobResources
  const missing = Array.isArray(resources) ? resources.length - resourcesOf(body).length : 0
  const { base_call_fee: fee } = costModelOf(body)
  return [
    ...(missing > 0 ? [`/job_resources: ${missing} of them have no id, url or name and are left out.`] : []),
    ...(fee !== undefined && callFeeOf(body) === undefined ? ['/cost_model/base_call_fee: no price in USDC, and left out.'] : []),
  ]
}
