// Views that few visits need: one file of scripts, which is loaded with the first of them.

export { ApproveView } from './approve/ApproveView.tsx'
export { ConnectView } from './approve/ConnectView.tsx'
export { AddMoney } from './me/AddMoney.tsx'
export { Mandates } from './me/Mandates.tsx'
export { PasskeyChoices } from './me/PasskeyChoices.tsx'
export { Passkeys } from './me/Passkeys.tsx'
export { Programs } from './me/Programs.tsx'
