// The permitted imports: for each folder, the other folders of the project that it may import.
const may = {
  prompts: [],
  'graphs/butler': ['prompts', 'src/domain', 'src/ports'],
  'src/config.ts': ['src/domain', 'src/settings.ts', 'src/refuseUnknownSettings.ts'],
  'src/settings.ts': ['src/domain'],
  'src/ports': ['src/domain'],
  'src/domain': [],
  // The records of the API. Page, command line, kit and client take their types from here.
  'src/records': ['src/domain'],
  'src/operations': ['src/domain', 'src/ports', 'src/records'],
  'src/workers': ['src/operations', 'src/domain', 'src/ports'],
  'src/http': ['src/operations', 'src/domain', 'src/ports', 'src/records'],
  'src/mcp': ['src/operations', 'src/domain', 'src/ports', 'src/records'],
  'src/a2a': ['src/operations', 'src/domain', 'src/ports', 'src/records'],
  'src/identity': ['src/domain', 'src/ports'],
  'src/process': ['src/domain', 'src/ports'],
  'src/store': ['src/domain', 'src/ports'],
  'src/net': ['src/domain', 'src/ports'],
  'src/chain': ['src/domain', 'src/ports'],
  'src/search': ['src/domain', 'src/ports'],
  'src/llm': ['prompts', 'src/domain', 'src/ports'],
  'src/kit': ['src/domain', 'src/records'],
  'src/client': ['src/records'],
  'src/cli': ['src/kit', 'src/domain', 'src/records'],
  // Talks to the service by HTTP only. From the domain it may import types and pure text functions.
  'src/web': ['src/domain', 'src/records'],
}

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
      name: 'the page imports no package but its own',
      severity: 'error',
      from: { path: '^src/web' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: 'node_modules/(hono|marked)/' },
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
