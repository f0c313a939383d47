import type { PhraseTable } from './english.ts'

// Only the sentences that name the words that do something, or that say which language is understood.

export const dutch: Partial<PhraseTable> = {
  onlyEnglish:
    'Op dit moment begrijp ik hier alleen Engels (English). Schrijf me in het Engels, bijvoorbeeld “what can you do?”, of vraag de beheerder een taalmodel in te stellen; dan begrijp ik ook Nederlands.',
  terms: 'Ik heb hier een agent voor. Lees de voorwaarden: “ja” huurt hem in, “nee” wijst hem af, of zeg wat er anders moet.',
  sayCancel: 'Ik heb nog niets gedaan. “cancel” breekt de opdracht af.',
  sayRefund: 'Ik heb nog niets gedaan. “refund” vraagt het geld terug.',
  sayAppeal: 'Ik heb nog niets gedaan. “appeal” maakt bezwaar tegen het resultaat.',
}

export const polish: Partial<PhraseTable> = {
  onlyEnglish:
    'Na razie rozumiem tu tylko angielski (English). Proszę napisać po angielsku, na przykład „what can you do?”, albo poprosić operatora o skonfigurowanie modelu językowego; wtedy zrozumiem też polski.',
  terms: 'Mam do tego agenta. Przeczytaj warunki: „tak” zatrudnia go, „nie” odrzuca, albo powiedz, co zmienić.',
  sayCancel: 'Jeszcze nic nie zrobiłem. „cancel” przerywa zlecenie.',
  sayRefund: 'Jeszcze nic nie zrobiłem. „refund” żąda zwrotu pieniędzy.',
  sayAppeal: 'Jeszcze nic nie zrobiłem. „appeal” kwestionuje wynik.',
}

export const korean: Partial<PhraseTable> = {
  onlyEnglish:
    '지금은 여기에서 영어(English)만 이해합니다. “what can you do?”처럼 영어로 써 주세요. 운영자가 언어 모델을 설정하면 한국어도 이해합니다.',
}

export const arabic: Partial<PhraseTable> = {
  onlyEnglish:
    'في الوقت الحالي أفهم هنا الإنجليزية (English) فقط. اكتب لي بالإنجليزية، مثلاً “what can you do?”، أو اطلب من المشغّل إعداد نموذج لغوي، وعندها أفهم العربية أيضاً.',
}

export const hindi: Partial<PhraseTable> = {
  onlyEnglish:
    'अभी मैं यहाँ केवल अंग्रेज़ी (English) समझता हूँ। कृपया अंग्रेज़ी में लिखें, जैसे “what can you do?”, या संचालक से भाषा मॉडल लगाने को कहें; तब मैं हिन्दी भी समझूँगा।',
}
