import { dayMs, hourMs, minuteMs } from '../durations.ts'

const kib = 1024

/** Limits of files, their uploads and their addresses. */
export const fileLimits = {
  /** One file, unless a setting says otherwise: most office files and photographs. */
  fileBytes: 25 * 1024 * kib,
  /** Files that one user keeps, in number and bytes. Those that no job refers to make room for new ones. */
  filesOfUser: 200,
  fileBytesOfUser: 1024 * 1024 * kib,
  /** Files whose bytes stand in a message or an A2A task, together. Larger ones are uploaded, or have an address. */
  inlineFileBytes: 1024 * kib,
  /** Files whose bytes stand in a result of an MCP tool, together, because a model may read them. */
  toolFileBytes: 4 * kib,
  /** Uploads in parts that one user has begun, the parts of one, and how long a begun one waits for its next part. */
  fileUploadsOfUser: 20,
  filePartsOfUpload: 2_000,
  fileUploadMs: dayMs,
  /** Files that an agent uploads for one job, in number and bytes. */
  filesOfJob: 20,
  fileBytesOfJob: 256 * 1024 * kib,
  /** How long a file is kept to which no job refers, and how long an address of a file works. */
  fileKeepMs: 7 * dayMs,
  fileLinkMs: 5 * minuteMs,
  /** How long a file stays in any case, also where the disk is full: its uploader is about to name it in a task. */
  fileRestMs: hourMs,
  /** The age from which a draft of a file belongs to nobody: no upload takes as long. */
  fileDraftMs: 120 * minuteMs,
  /** Uploads and downloads under way of one user, agent or address, and those of all. Each has about 300 KB in memory. */
  fileTransfersOfOne: 6,
  fileTransfers: 200,
  /** Free space that uploads leave on the disk, which the database needs too. */
  fileSpareBytes: 512 * 1024 * kib,
} as const
