import sharp from 'sharp'

/** Pixels of the largest picture that is decoded. A small file can claim to be much larger (a decompression bomb). */
const maxPixels = 50_000_000
/** Time in seconds for one picture. */
const maxSeconds = 20
export const formats = ['jpeg', 'png', 'webp'] as const
export type Format = (typeof formats)[number]
/** The formats that are read. SVG and PDF are left out, because they are programs of a kind and no pictures of points. */
const readable = new Set(['jpeg', 'png', 'webp', 'gif', 'tiff', 'heif'])

export type Smaller = {
  bytes: Uint8Array
  format: Format
  width: number
  height: number
  before: { width: number; height: number }
}

/**
 * Makes a picture smaller: within a square of `side` pixels, upright, without the place and camera that a photo tells.
 * @throws Error whose message is for the buyer
 */
export const toSmallerPicture = async (
  bytes: Uint8Array,
  { side, format }: { side: number; format?: Format },
): Promise<Smaller> => {
  const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' }).timeout({ seconds: maxSeconds })
  const told = await picture.metadata().catch(toUnreadable)
  if (!readable.has(told.format)) return toUnreadable()
  const wanted = format ?? (told.hasAlpha ? 'png' : told.format === 'webp' ? 'webp' : 'jpeg')
  const { data, info } = await picture
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .flatten(wanted === 'jpeg' ? { background: '#ffffff' } : false)
    .toFormat(wanted, { quality: 80, compressionLevel: 9, effort: 4 })
    .toBuffer({ resolveWithObject: true })
    .catch(toUnreadable)
  return { bytes: data, format: wanted, width: info.width, height: info.height, before: told.autoOrient }
}

const toUnreadable = (): never => {
  throw new Error(
    `This is no picture that I can read: PNG, JPEG, WebP, GIF, TIFF or AVIF with at most ${maxPixels / 1_000_000} megapixels.`,
  )
}
