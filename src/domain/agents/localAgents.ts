export const demoHandles = [
  'city-clock',
  'text-digest',
  'demo-units',
  'demo-charts',
  'demo-qr',
  'demo-pages',
  'demo-compare',
  'demo-passwords',
  'demo-calendar',
  'demo-pictures',
  'demo-tables',
  'demo-pdf',
  'demo-words',
] as const
export type DemoHandle = (typeof demoHandles)[number]
