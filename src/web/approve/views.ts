export { ApproveView } from './ApproveView.tsx'
export { ConnectView } from './ConnectView.tsx'
