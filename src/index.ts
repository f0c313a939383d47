export * from './kit/kit.ts'
