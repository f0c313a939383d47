import { t } from '../client/words.ts'
import { Link } from '../parts/basics.tsx'

/** In place of the yes where the balance does not cover it. @param usdc what is missing */
export const AddMissing = ({ usdc }: { usdc: string }) => (
  <Link to="/app/me" class="btn main full" words={t('Add {sum} USDC', { sum: usdc })} />
)
