import type { Table } from '../phrases.ts'

// A few plain words of further languages.

export const polish: Table = {
  yes: 'tak, tak proszę, tak poproszę',
  order: 'zgadzam się, zgoda, potwierdzam, akceptuję, zrób to, do dzieła, zatrudnij go',
  sure: 'oczywiście, jasne, pewnie, chętnie',
  fair: 'dobrze, w porządku',
  please: 'proszę, poproszę',
  thanks: 'dziękuję, dzięki',
  no: 'nie, nie chcę, nie trzeba, nie teraz',
  cancel: 'anuluj, stop, przerwij',
}
export const dutch: Table = {
  yes: 'ja, ja graag, ja hoor, jazeker, ja alstublieft, ja alsjeblieft',
  order: 'akkoord, ik ga akkoord, doe maar, doe het, ga je gang, ga uw gang, bevestigd, ik bevestig, afgesproken',
  sure: 'zeker, natuurlijk, graag',
  fair: 'goed, prima, in orde',
  please: 'alstublieft, alsjeblieft, graag',
  thanks: 'bedankt, dank je, dank u, dankjewel',
  no: 'nee, nee bedankt, liever niet, niet doen, laat maar, vergeet het',
  cancel: 'annuleer, annuleren, stop, stoppen',
}
export const swedish: Table = {
  yes: 'ja, ja tack, japp',
  order: 'kör, kör på, gör det, godkänt, jag godkänner, jag håller med, jag bekräftar',
  sure: 'visst, självklart, gärna, absolut',
  thanks: 'tack så mycket',
  no: 'nej, nej tack, inte nu, glöm det',
  cancel: 'avbryt, stopp',
}
export const korean: Table = {
  yes: '네, 예',
  order:
    '해주세요, 해 주세요, 진행해주세요, 진행해 주세요, 부탁합니다, 부탁드립니다, 부탁해요, 동의합니다, 확인합니다, 승인합니다, 고용해주세요, 고용해 주세요',
  sure: '물론이죠, 물론입니다, 당연하죠',
  fair: '좋아요, 좋습니다, 그래요, 그래',
  thanks: '감사합니다, 고마워요',
  no: '아니요, 아니오, 아뇨, 괜찮아요, 됐어요, 아니요 괜찮아요, 싫어요',
  cancel: '취소, 취소해주세요, 취소해 주세요, 그만',
}
export const arabic: Table = {
  yes: 'نعم, أجل, نعم من فضلك, نعم لو سمحت',
  order: 'موافق, أنا موافق, أوافق, أؤكد, تفضل, ابدأ, نفذ',
  sure: 'بالطبع, طبعا, بالتأكيد',
  fair: 'حسنا, تمام',
  please: 'من فضلك, لو سمحت',
  thanks: 'شكرا, شكرا جزيلا',
  no: 'لا, لا شكرا, لا أريد, ليس الآن',
  cancel: 'إلغاء, ألغ, توقف',
}
export const hindi: Table = {
  yes: 'हाँ, हां, जी हाँ, जी हां, हाँ जी, हां जी',
  order: 'कर दो, कर दीजिए, करो, कीजिए, मुझे मंज़ूर है, मंज़ूर है, सहमत हूँ, मैं सहमत हूँ',
  sure: 'बिल्कुल, ज़रूर',
  fair: 'ठीक है, अच्छा ठीक है',
  please: 'कृपया',
  thanks: 'धन्यवाद, शुक्रिया',
  no: 'नहीं, जी नहीं, नहीं धन्यवाद, मत करो',
  cancel: 'रद्द करें, रद्द करो, रुको, बंद करो',
}
