import type { PhraseTable } from './english.ts'

// Only the sentences that name the words that do something, that refuse, or that say which language is understood.

export const dutch: Partial<PhraseTable> = {
  onlyEnglish:
    'Op dit moment begrijp ik hier alleen Engels (English). Schrijf me in het Engels, bijvoorbeeld “what can you do?”, of vraag de beheerder een taalmodel in te stellen; dan begrijp ik ook Nederlands.',
  terms: 'Ik heb hier een agent voor. Lees de voorwaarden: “ja” huurt hem in, “nee” wijst hem af, of zeg wat er anders moet.',
  sayCancel: 'Ik heb nog niets gedaan. “cancel” breekt de opdracht af.',
  sayRefund: 'Ik heb nog niets gedaan. “refund” vraagt het geld terug.',
  sayAppeal: 'Ik heb nog niets gedaan. “appeal” maakt bezwaar tegen het resultaat.',
  nothingFits: 'Niets op de markt past:',
  noOffering: 'Geen enkel aanbod doet wat u vraagt.',
  noneDoes: 'geen daarvan doet dit.',
  nothingFitsAll: 'Niets op de markt past bij alles wat u zei.',
  nearest: 'Het dichtst in de buurt komt "{name}" van {handle} voor {amount} USDC.',
  nearestBut: 'Het dichtst in de buurt komt "{name}" van {handle}: {gap}.',
  otherLimits: 'Als dat goed is, noem me dan andere grenzen.',
  otherWords: 'Zeg het in andere woorden, dan zoek ik opnieuw.',
  unpaid: 'Er is niemand ingehuurd en niets betaald.',
  declined:
    'Daar help ik niet bij: het zou iemand schaden of de wet overtreden, en geen agent hier mag daarvoor worden ingehuurd.',
  somethingElse: 'Vraag me iets anders.',
}

export const polish: Partial<PhraseTable> = {
  onlyEnglish:
    'Na razie rozumiem tu tylko angielski (English). Proszę napisać po angielsku, na przykład „what can you do?”, albo poprosić operatora o skonfigurowanie modelu językowego; wtedy zrozumiem też polski.',
  terms: 'Mam do tego agenta. Przeczytaj warunki: „tak” zatrudnia go, „nie” odrzuca, albo powiedz, co zmienić.',
  sayCancel: 'Jeszcze nic nie zrobiłem. „cancel” przerywa zlecenie.',
  sayRefund: 'Jeszcze nic nie zrobiłem. „refund” żąda zwrotu pieniędzy.',
  sayAppeal: 'Jeszcze nic nie zrobiłem. „appeal” kwestionuje wynik.',
  nothingFits: 'Nic na rynku nie pasuje:',
  noOffering: 'Żadna oferta nie robi tego, o co prosisz.',
  noneDoes: 'żadna z nich tego nie robi.',
  nothingFitsAll: 'Nic na rynku nie pasuje do wszystkiego, co zostało powiedziane.',
  nearest: 'Najbliżej jest "{name}" od {handle} za {amount} USDC.',
  nearestBut: 'Najbliżej jest "{name}" od {handle}: {gap}.',
  otherLimits: 'Jeśli to w porządku, podaj mi inne granice.',
  otherWords: 'Powiedz to innymi słowami, a poszukam jeszcze raz.',
  unpaid: 'Nikogo nie zatrudniono i nic nie zapłacono.',
  declined: 'W tym nie pomogę: to skrzywdziłoby kogoś lub złamało prawo, i żaden agent nie może być do tego zatrudniony.',
  somethingElse: 'Poproś mnie o coś innego.',
}

export const korean: Partial<PhraseTable> = {
  onlyEnglish:
    '지금은 여기에서 영어(English)만 이해합니다. “what can you do?”처럼 영어로 써 주세요. 운영자가 언어 모델을 설정하면 한국어도 이해합니다.',
  nothingFits: '시장에 맞는 것이 없습니다:',
  noOffering: '요청하신 일을 하는 제안이 없습니다.',
  noneDoes: '그중 어느 것도 이 일을 하지 않습니다.',
  nothingFitsAll: '말씀하신 모든 것에 맞는 것이 시장에 없습니다.',
  nearest: '가장 가까운 것은 {handle}의 "{name}"이며 {amount} USDC입니다.',
  nearestBut: '가장 가까운 것은 {handle}의 "{name}"입니다: {gap}.',
  otherLimits: '괜찮으시면 다른 한도를 알려 주세요.',
  otherWords: '다른 말로 말씀해 주시면 다시 찾겠습니다.',
  unpaid: '아무도 고용하지 않았고 아무것도 지불하지 않았습니다.',
  declined: '그 일은 돕지 않습니다. 누군가를 해치거나 법을 어기게 되므로, 여기의 어떤 에이전트도 그 일에 고용할 수 없습니다.',
  somethingElse: '다른 것을 부탁해 주세요.',
}

export const arabic: Partial<PhraseTable> = {
  onlyEnglish:
    'في الوقت الحالي أفهم هنا الإنجليزية (English) فقط. اكتب لي بالإنجليزية، مثلاً “what can you do?”، أو اطلب من المشغّل إعداد نموذج لغوي، وعندها أفهم العربية أيضاً.',
  nothingFits: 'لا شيء في السوق مناسب:',
  noOffering: 'لا يوجد عرض يقوم بما تطلبه.',
  noneDoes: 'لا يقوم أيّ منها بذلك.',
  nothingFitsAll: 'لا شيء في السوق يناسب كل ما قلته.',
  nearest: 'الأقرب هو "{name}" من {handle} مقابل {amount} USDC.',
  nearestBut: 'الأقرب هو "{name}" من {handle}: {gap}.',
  otherLimits: 'إن كان ذلك مناسباً فاذكر لي حدوداً أخرى.',
  otherWords: 'قلها بكلمات أخرى وسأبحث من جديد.',
  unpaid: 'لم يُستأجر أحد ولم يُدفع شيء.',
  declined: 'لا أساعد في ذلك: فقد يؤذي أحداً أو يخالف القانون، ولا يجوز استئجار أي وكيل هنا من أجله.',
  somethingElse: 'اطلب مني شيئاً آخر.',
}

export const hindi: Partial<PhraseTable> = {
  onlyEnglish:
    'अभी मैं यहाँ केवल अंग्रेज़ी (English) समझता हूँ। कृपया अंग्रेज़ी में लिखें, जैसे “what can you do?”, या संचालक से भाषा मॉडल लगाने को कहें; तब मैं हिन्दी भी समझूँगा।',
  nothingFits: 'बाज़ार में कुछ भी ठीक नहीं बैठता:',
  noOffering: 'कोई भी सेवा वह नहीं करती जो आप चाहते हैं।',
  noneDoes: 'इनमें से कोई यह नहीं करता।',
  nothingFitsAll: 'बाज़ार में कुछ भी आपकी कही सब बातों से मेल नहीं खाता।',
  nearest: 'सबसे निकट {handle} की "{name}" है, {amount} USDC में।',
  nearestBut: 'सबसे निकट {handle} की "{name}" है: {gap}.',
  otherLimits: 'अगर यह ठीक है, तो मुझे दूसरी सीमाएँ बताइए।',
  otherWords: 'इसे दूसरे शब्दों में कहिए, मैं फिर से खोजूँगा।',
  unpaid: 'किसी को काम पर नहीं रखा गया और कुछ भी भुगतान नहीं हुआ।',
  declined: 'इसमें मैं मदद नहीं करता: इससे किसी को हानि होगी या क़ानून टूटेगा, और यहाँ किसी एजेंट को इसके लिए नहीं रखा जा सकता।',
  somethingElse: 'मुझसे कुछ और कहिए।',
}
