/**
 * The small letters and digits of a name with hyphens between them: "Haiku Hut!" is `haiku-hut`.
 * @returns at most `most` characters; empty when the name has no such character
 */
export const toSlug = (name: string, most: number): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, most)
