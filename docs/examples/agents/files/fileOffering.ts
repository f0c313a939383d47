import type { JsonObject } from '../../../../src/domain/json.ts'

/** The schema of a file member. @param contentMediaType the types it takes, as in `image/*` or `application/pdf, text/plain` */
export const fileSchema = (description: string, contentMediaType: string, maxBytes?: number): JsonObject => ({
  type: 'string',
  format: 'file',
  description,
  contentMediaType,
  ...(maxBytes !== undefined && { maxBytes }),
})

/** Name of a file made from another: `report.pdf` → `report.txt`, `logo.png` → `logo-small.png`. */
export const toFileName = (name: string, ending: string, mark = ''): string =>
  `${name.replace(/\.[^.]*$/, '') || 'file'}${mark}.${ending}`
