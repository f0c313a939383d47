import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

// The permitted imports: for each folder, the other folders of the project that it may import.
const may = {
  prompts: [],
  'graphs/butler': ['prompts', 'src/domain', 'src/ports', 'src/language'],
  'src/config.ts': ['src/domain', 'src/settings.ts', 'src/refuseUnknownSettings.ts'],
  'src/settings.ts': ['src/domain'],
  'src/ports': ['src/domain'],
  'src/domain': [],
  // The records of the API. Page, command line, kit and client take their types from here.
  'src/records': ['src/domain'],
  // Reads people's words without a language model.
  'src/language': ['src/domain', 'src/ports'],
  'src/operations': ['src/domain', 'src/ports', 'src/records', 'src/language'],
  'src/workers': ['src/operations', 'src/domain', 'src/ports', 'src/records'],
  'src/http': ['src/operations', 'src/domain', 'src/ports', 'src/records'],
  'src/mcp': ['src/operations', 'src/domain', 'src/ports', 'src/records'],
  'src/a2a': ['src/operations', 'src/domain', 'src/ports', 'src/records'],
  'src/identity': ['src/domain', 'src/ports'],
  'src/process': ['src/domain', 'src/ports'],
  'src/store': ['src/domain', 'src/ports'],
  // The bytes of files: encryption, types, and the places where they are kept.
  'src/files': ['src/domain', 'src/ports'],
  'src/net': ['src/domain', 'src/ports'],
  'src/chain': ['src/domain', 'src/ports'],
  'src/search': ['src/domain', 'src/ports', 'src/language'],
  'src/llm': ['prompts', 'src/domain', 'src/ports', 'src/language'],
  'src/kit': ['src/domain', 'src/records'],
  'src/client': ['src/records'],
  'src/cli': ['src/kit', 'src/domain', 'src/records'],
  // Talks to the service by HTTP only. From the domain it may import types and pure text functions.
  'src/web': ['src/domain', 'src/records'],
}

// A feature imports the core, and of the other features only those that it names in its `needs`.
const core = [
  'src/operations',
  'src/a2a',
  'src/workers',
  'src/http',
  'src/mcp',
  'src/store',
  'src/chain',
  'src/search',
  'src/domain',
  'src/ports',
  'src/records',
]
const features = await Promise.all(
  globSync('src/features/*/feature.ts').map(async file => {
    const named = join(dirname(file), 'needs.ts')
    const { needs } = existsSync(named) ? await import(pathToFileURL(named).href) : { needs: [] }
    return { name: basename(dirname(file)), needs }
  }),
)
const toFolder = name => `^src/features/${name}/`

const inside = ['src', 'graphs', 'prompts']

export default {
  forbidden: [
    ...Object.entries(may).map(([room, doors]) => ({
      name: `${room} imports only ${doors.join(', ') || 'itself'}`,
      severity: 'error',
      from: { path: `^${room}` },
      to: { path: `^(${inside.join('|')})(/|$)`, pathNot: [room, ...doors].map(door => `^${door}`) },
    })),
    {
      name: 'the core imports no feature',
      severity: 'error',
      from: { path: '^(src|graphs|prompts)', pathNot: ['^src/features/', '^src/assemble[.]ts$'] },
      to: { path: '^src/features/' },
    },
    {
      name: 'a feature imports only the core',
      severity: 'error',
      from: { path: '^src/features/' },
      to: { path: '^src/', pathNot: ['src/features', ...core].map(door => `^${door}(/|[.]ts$)`) },
    },
    ...features.map(({ name, needs }) => ({
      name: `the feature ${name} imports only the features that it needs (${needs.join(', ') || 'none'})`,
      severity: 'error',
      from: { path: toFolder(name) },
      to: { path: '^src/features/[^/]+/', pathNot: [name, ...needs].map(toFolder) },
    })),
    {
      name: 'the page imports no package but its own',
      severity: 'error',
      from: { path: '^src/web' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'core'],
        pathNot: 'node_modules/(hono|marked|uqr|pdfjs-dist|chardet|@simplewebauthn/browser)/',
      },
    },
    {
      name: 'the domain is pure: of Node it imports only functions without input and output',
      severity: 'error',
      from: { path: '^src/domain' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(buffer|crypto|net)$' },
    },
    {
      name: 'the domain takes node:net, which can open connections, only to compare addresses',
      severity: 'error',
      from: { path: '^src/domain', pathNot: '^src/domain/net/publicAddress.ts$' },
      to: { path: '^(node:)?net$' },
    },
    {
      name: 'the domain imports no package but zod',
      severity: 'error',
      from: { path: '^src/domain' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: 'node_modules/zod/' },
    },
    { name: 'no file imports itself through others', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'the product does not import its tests',
      severity: 'error',
      from: { path: '^(src|graphs|prompts)' },
      to: { path: '^test' },
    },
  ],
  options: { parser: 'swc', doNotFollow: { path: 'node_modules' } },
}
