/** A share as a labelled bar. @param share 0 to 1 */
export const Meter = ({ name, share, words }: { name: string; share: number; words: string }) => (
  <div class="meter">
    <span>{name}</span>
    <span class="track" aria-hidden="true">
      <i style={{ width: `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%` }} />
    </span>
    <span class="val num">{words}</span>
  </div>
)
