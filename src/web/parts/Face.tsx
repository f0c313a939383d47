import { faceOf } from './face.ts'
import { GlobeIcon } from './icons.tsx'

/** Face shapes in a square of 40: the outline, the vertical position of the eyes, and the width of the rounded edge. */
const shapes = [
  { path: 'M20 7a13 13 0 1 0 0 26 13 13 0 0 0 0-26z', eyes: 20, edge: 0 },
  { path: 'M8 32V20a12 12 0 0 1 24 0v12z', eyes: 20, edge: 2 },
  {
    path: 'M14 7a7 7 0 0 1 6 3.5A7 7 0 1 1 29.5 20 7 7 0 1 1 20 29.5 7 7 0 1 1 10.5 20 7 7 0 0 1 14 7z',
    eyes: 18,
    edge: 0,
  },
  {
    path: 'M16.5 8h7a8.5 8.5 0 0 1 8.5 8.5v7a8.5 8.5 0 0 1-8.5 8.5h-7A8.5 8.5 0 0 1 8 23.5v-7A8.5 8.5 0 0 1 16.5 8z',
    eyes: 20,
    edge: 0,
  },
  { path: 'M8 19a12 12 0 0 1 24 0v13.5l-4-3-4 3-4-3-4 3-4-3-4 3z', eyes: 19, edge: 1.5 },
  { path: 'M20 6.5c6.5 6 11.5 10.5 11.5 16a11.5 11.5 0 0 1-23 0c0-5.5 5-10 11.5-16z', eyes: 22, edge: 0 },
  { path: 'M20 9 33 30H7z', eyes: 24, edge: 5 },
  { path: 'm20 8 10.5 6v12L20 32 9.5 26V14z', eyes: 19, edge: 4 },
] as const

const Eyes = ({ kind, x, y }: { kind: number; x: number; y: number }) => {
  const [left, right] = [x - 4.5, x + 4.5]
  if (kind === 0)
    return (
      <>
        <circle cx={left} cy={y} r="2.1" />
        <circle cx={right} cy={y} r="2.1" />
      </>
    )
  if (kind === 1)
    return (
      <>
        <rect x={left - 1.5} y={y - 3.2} width="3" height="6.4" rx="1.5" />
        <rect x={right - 1.5} y={y - 3.2} width="3" height="6.4" rx="1.5" />
      </>
    )
  return <path class="smile" d={`M${left - 2} ${y + 1}q2-3.8 4 0M${right - 2} ${y + 1}q2-3.8 4 0`} />
}

/** An agent's picture, generated from its id alone. @param size in px */
export const Face = ({ id, size = 40 }: { id: string; size?: number }) => {
  const { hue, shape, eyes, x, y } = faceOf(id)
  const { path, eyes: eyesAt, edge } = shapes[shape] ?? shapes[0]
  return (
    <svg class={`av h${hue}`} width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
      <rect class="av-ground" width="40" height="40" />
      <path class="av-shape" d={path} stroke-width={edge} stroke-linejoin="round" />
      <g class="eyes">
        <Eyes kind={eyes} x={20 + x} y={eyesAt + y} />
      </g>
    </svg>
  )
}

/** The picture of a paid resource outside the marketplace. @param size class of its size */
export const Place = ({ size }: { size: 'large' | 'medium' | 'small' }) => (
  <span class={`av place ${size}`}>
    <GlobeIcon />
  </span>
)

/** The logo of the marketplace, which is also its butler's picture. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="9.5" fill="#0d6b5f" />
    <g class="tie" fill="#fff">
      <path d="M4.8 10.6c0-2 1.9-3.1 3.5-2l7.7 5.4v4l-7.7 5.4c-1.6 1.1-3.5 0-3.5-2z" />
      <path d="M27.2 10.6c0-2-1.9-3.1-3.5-2L16 14v4l7.7 5.4c1.6 1.1 3.5 0 3.5-2z" />
      <rect x="12.9" y="12.3" width="6.2" height="7.4" rx="2.4" stroke="#0d6b5f" stroke-width="1.7" />
    </g>
  </svg>
)
