/**
 * The paths of the API. The build of the package replaces this file by the types that openapi-typescript generates from the
 * OpenAPI document.
 */
export type paths = Record<never, never>
