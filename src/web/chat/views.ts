export { ChatView } from './ChatView.tsx'
