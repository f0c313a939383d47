export { ApproveView } from './ApproveView.tsx'
export { ConnectView } from './ConnectView.tsx'
export { EmailView } from './EmailView.tsx'
