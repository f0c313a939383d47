import type { FileLink } from '../../domain/files/fileLinks.ts'
import type { GivenFile } from '../../domain/files/givenFile.ts'
import type { Deps } from '../operation.ts'

export const readFiles = async (_deps: Deps, _runId: string, _links: readonly FileLink[]): Promise<GivenFile[]> => []
export const recallFiles = async (_deps: Deps, _runId: string): Promise<GivenFile[]> => []
