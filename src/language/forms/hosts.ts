import { byPattern } from './form.ts'

/** Matches file names and abbreviations that look like host names. */
const noHost =
  /\.(?:pdf|docx?|xlsx?|csv|txt|md|png|jpe?g|gif|webp|tiff?|mp[34]|wav|zip|js|ts|py|java|json|html?|e\.?g|i\.?e|am|pm)$|^(?:e\.g|i\.e|a\.m|p\.m|node\.js|vs)/i

/** Host names, with a path behind them if there is one, but without a scheme. */
export const hosts = byPattern({
  form: 'host',
  pattern:
    /(?<![\p{L}\p{N}@./-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,4}[a-z]{2,18}(?![\p{L}\p{N}@])(?:\/[^\s<>"'`)\]\uE000]{0,500}[^\s<>"'`)\].,;:!?\uE000])?/giu,
  isReal: said => !noHost.test(said),
  alike: said => [`https://${said}`],
  examples: { 'is db1.shop.example up?': ['db1.shop.example'], 'read example.org/news.': ['example.org/news'] },
  counterExamples: ['report.pdf', 'e.g. this', 'at 9 a.m.', 'https://example.org', 'a@example.org'],
})
