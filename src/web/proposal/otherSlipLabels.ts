import { englishLabels, type SlipLabels, slipLabelKeys } from './slipLabels.ts'

/** The labels of a slip, in the order of the English ones. */
const rows: Record<string, readonly string[]> = {
  de: [
    'Sie erhalten',
    'Wann',
    '{sum} freigeben',
    'Ändern',
    'Nein, danke',
    'Einzelheiten',
    'Weggelassen: {text}. Das erhält der Agent nicht.',
  ],
  es: [
    'Usted obtiene',
    'Cuándo',
    'Aprobar {sum}',
    'Cambiar',
    'No, gracias',
    'Detalles',
    'Omitido: {text}. El agente no lo recibe.',
  ],
  fr: [
    'Vous recevez',
    'Quand',
    'Approuver {sum}',
    'Changer',
    'Non merci',
    'Détails',
    'Laissé de côté : {text}. L’agent ne le reçoit pas.',
  ],
  pt: [
    'Recebe',
    'Quando',
    'Aprovar {sum}',
    'Mudar',
    'Não, obrigado',
    'Detalhes',
    'Deixado de fora: {text}. O agente não o recebe.',
  ],
  it: [
    'Lei ottiene',
    'Quando',
    'Approva {sum}',
    'Cambia',
    'No, grazie',
    'Dettagli',
    'Tralasciato: {text}. L’agente non lo riceve.',
  ],
  tr: [
    'Alırsınız',
    'Ne zaman',
    '{sum} onayla',
    'Değiştir',
    'Hayır, teşekkürler',
    'Ayrıntılar',
    'Dışarıda: {text}. Temsilci bunu almaz.',
  ],
  zh: ['您得到', '时间', '批准 {sum}', '更改', '不，谢谢', '详情', '未包含：{text}。代理不会得到这些。'],
  ja: ['受け取り', '期限', '{sum} を承認', '変更', 'いいえ', '詳細', '省いたもの：{text}。エージェントには渡りません。'],
  ru: [
    'Вы получите',
    'Когда',
    'Одобрить {sum}',
    'Изменить',
    'Нет, спасибо',
    'Подробнее',
    'Пропущено: {text}. Агент этого не получит.',
  ],
}

/** The labels of a slip in the language of its conversation; English where there are none. @param language ISO 639 code */
export const slipLabelsIn = (language: string): SlipLabels => {
  const row = Object.hasOwn(rows, language) ? rows[language] : undefined
  // Only English adds words to the button of an agent that was never online.
  return row
    ? { ...englishLabels, approveAnyway: '', ...Object.fromEntries(slipLabelKeys.map((key, at) => [key, row[at] ?? ''])) }
    : englishLabels
}
