export { AgentsView } from './AgentsView.tsx'
export { MyAgentView } from './MyAgentView.tsx'
