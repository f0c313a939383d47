import type { FileRecord } from '../../../records/file.ts'

/** A file, its bytes, and their address within the page. */
export type InsideProps = { file: FileRecord; blob: Blob; url: string }
