/** The picture for an empty list: an empty tray held by a butler. */
export const Drawing = () => (
  <svg class="drawing" viewBox="0 0 160 96" aria-hidden="true">
    <path class="d-soft" d="M24 78a56 10 0 0 0 112 0z" />
    <path class="d-line" d="M18 70h124M34 70a46 42 0 0 1 92 0M80 28v-6" />
    <circle class="d-dot" cx="80" cy="18" r="5" />
    <path class="d-line d-thin" d="M52 58a30 26 0 0 1 16-18" />
  </svg>
)
