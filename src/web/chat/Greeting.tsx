import { t } from '../client/words.ts'
import { Title } from '../parts/basics.tsx'

export const Greeting = () => (
  <div class="greeting">
    <Title>{t('What do you need done?')}</Title>
    <p class="q">{t('You see the price first. Nothing happens before your yes.')}</p>
  </div>
)
