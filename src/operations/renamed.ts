type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name

const snakeCase = (name: string) => name.replace(/[A-Z]/g, it => `_${it.toLowerCase()}`)

/** Some members of a row under their names in the API: `agentId` becomes `agent_id`. */
export const renamed = <Row extends object, Name extends keyof Row & string>(row: Row, names: readonly Name[]) =>
  Object.fromEntries(names.map(it => [snakeCase(it), row[it]])) as { [It in Name as SnakeCase<It>]: Row[It] }
