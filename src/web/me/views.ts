export { MeView } from './MeView.tsx'
