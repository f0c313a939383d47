export { AgentView } from './AgentView.tsx'
export { MarketView } from './MarketView.tsx'
export { RankingsView } from './RankingsView.tsx'
