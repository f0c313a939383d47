export { RunView } from './RunView.tsx'
