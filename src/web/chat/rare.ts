export { Choices } from './Choices.tsx'
export { Limits } from './Limits.tsx'
export { NothingFits } from './NothingFits.tsx'
