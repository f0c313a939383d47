export { AgentsView } from './AgentsView.tsx'
export { MeView } from './MeView.tsx'
export { MyAgentView } from './MyAgentView.tsx'
