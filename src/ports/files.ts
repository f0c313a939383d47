import type { ByteRange } from '../domain/files/byteRange.ts'
import type { Address } from '../domain/hex.ts'
import type { FileRow, PartRow, UploadRow } from './rows/file.ts'
import type { Job } from './rows.ts'

export type { FileRow, PartRow, UploadRow } from './rows/file.ts'

/** A file on its way in. Its bytes can be read once, and a chunk holds until the next one is asked for. */
export type Upload = {
  bytes: AsyncIterable<Uint8Array>
  /** The bytes that the sender announces; undefined when it announces none. */
  length: number | undefined
  declaredType: string | undefined
  name: string | undefined
}

/** What keeping a file found out. `sealed` is the key of its bytes, which the master key wraps. */
export type Kept = { sha256: string; bytes: number; mediaType: string; sealed: string }

/** The bytes of files, encrypted, on a disk or in an object store. A file is there whole or not at all. */
export type FileVault = {
  mostBytes: number
  /**
   * Keeps the bytes of a new file.
   * @throws Problem body-too-large, storage-full; and what reading the bytes throws
   */
  keep(id: string, upload: Pick<Upload, 'bytes' | 'declaredType'> & { name: string }): Promise<Kept>
  /** The bytes of a file, or a part of them. A changed byte makes the reader throw. */
  open(file: Pick<FileRow, 'id' | 'sealed' | 'bytes'>, range?: ByteRange): AsyncIterable<Uint8Array>
  /** Removes files. Those that are gone already do not matter. */
  remove(ids: readonly string[]): Promise<void>
  /**
   * The bytes that must go before a file of so many bytes fits.
   * @throws StorageFull when removing files makes no room on the disk that uploads need
   */
  missingBytes(bytes: number): Promise<number>
  /** Removes old drafts, and old files that have no row: a process ended while it kept or removed them. @returns how many */
  sweep(of: { knownOf: (ids: string[]) => Promise<ReadonlySet<string>>; olderThanMs: number }): Promise<number>
  /** Signs and checks addresses of files. The key is never told. */
  sign(text: string): Promise<string>
}

/** How a job refers to a file: it is part of the input, or of the deliverable. */
export type FileRole = 'input' | 'deliverable'

/** Who asks for a file: a wallet, or an agent by its secret. */
export type FileReader = { wallet: Address | undefined; agentKey?: string | undefined }

export type FileTables = {
  /**
   * Adds a file whose bytes are kept. The oldest files of its owner that no job refers to make room. The same bytes under the
   * same name for the same job are one file, whose life begins again.
   * @returns the file, and the files whose bytes can go; undefined when there is no room
   */
  addFile(
    file: Omit<FileRow, 'seq' | 'createdAt' | 'expiresAt'>,
    keepMs: number,
  ): Promise<{ file: FileRow; removed: string[] } | undefined>
  file(id: string): Promise<FileRow | undefined>
  /** Files of an owner before a place in the list, newest first. */
  files(of: { owner: Address; before: number | undefined; limit: number }): Promise<FileRow[]>
  /** Which of these files exist. */
  knownFiles(ids: string[]): Promise<ReadonlySet<string>>
  filesForJob(jobId: string): Promise<FileRow[]>
  filesOfJob(jobId: string, role: FileRole): Promise<FileRow[]>
  /**
   * The jobs by which somebody may read a file: those of their agent with the role `input`, and those they pay with
   * `deliverable`.
   */
  jobsOfFile(id: string, reader: FileReader): Promise<{ role: FileRole; job: Job }[]>
  /** Lets a job refer to files; false when one of them is gone. */
  useFiles(jobId: string, role: FileRole, ids: readonly string[]): Promise<boolean>
  usedFiles(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Removes a file that no job refers to; false when one does. */
  removeFile(id: string): Promise<boolean>
  /**
   * Removes files that no job refers to, those first whose time ends first.
   * @param of.aheadMs also those whose time ends so soon, until `bytes` are free; default: only those whose time is over
   * @returns their ids
   */
  expireFiles(of: { limit: number; aheadMs?: number; bytes?: number }): Promise<string[]>
  /** The bytes of all files, and of the parts of uploads. */
  bytesOfFiles(): Promise<number>
}

export type UploadTables = {
  /** Begins an upload in parts; false when its owner has begun too many, or they are too large together. */
  addUpload(upload: Omit<UploadRow, 'fileId' | 'expiresAt'>, keepMs: number): Promise<boolean>
  upload(id: string): Promise<{ upload: UploadRow; parts: PartRow[] } | undefined>
  /**
   * Adds the next part, and waits longer for the one after it, up to the time for which a file is kept; false when it does not
   * begin where the last one ends.
   */
  addPart(part: PartRow, keepMs: number): Promise<boolean>
  /** Ends an upload: it has become a file, or is given up. @returns the parts whose bytes can go */
  endUpload(id: string, fileId: string | undefined): Promise<string[]>
  /**
   * Ends uploads whose time is over, or with `aheadMs` those that have parts and whose time ends so soon.
   * @returns how many, and the parts whose bytes can go
   */
  expireUploads(of: { limit: number; aheadMs?: number }): Promise<{ ended: number; parts: string[] }>
}
