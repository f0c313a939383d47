import type { Table } from '../phrases.ts'

export const turkish: Table = {
  yes: 'evet, evet lütfen, evet efendim, evet (istiyorum|olur|kabul|onaylıyorum|kabul ediyorum), cevabım evet',
  order: `yap, yapın, yapalım, yap lütfen, yapabilirsin, yapabilirsiniz, başla, başlayın, başlayalım, başlayabilirsin,
    başlayabilirsiniz, devam, devam et, devam edin, devam edelim, devam edebilirsin, devam edebilirsiniz, buyur devam et,
    ilerle, ilerleyin
    (onu|bunu|) (tut|tutun|kirala|kiralayın|al|alın|ayarla|ayarlayın|rezerve et|satın al|öde|ödeyin|gönder|gönderin|
      işe al|işe alın)
    kabul, kabul ediyorum, kabul ediyoruz, kabul ettim, kabul edildi, onaylıyorum, onaylıyoruz, onayla, onaylandı, onay,
    onay veriyorum, katılıyorum, anlaştık, tamamdır, hadi (yapalım|başlayalım), bana uyar, bence (uygun|olur|tamam),
    benim için uygun, uygundur, istiyorum bunu, bunu istiyorum, alıyorum`,
  sure: 'tabii, tabi, tabii ki, tabi ki, elbette, kesinlikle, memnuniyetle, şüphesiz, muhakkak',
  fair: 'tamam, olur, peki, uygun, pekala, iyi olur, kulağa hoş geliyor, iyi görünüyor',
  aside: `iyi, güzel, harika, mükemmel, süper, çok iyi, çok güzel, doğru, aynen, o zaman, şimdi, hemen, hemen şimdi, bir an önce,
    fiyat (iyi|uygun)`,
  please: 'lütfen, rica ederim, zahmet olmazsa',
  thanks: 'teşekkürler, teşekkür ederim, çok teşekkürler, çok teşekkür ederim, sağ ol, sağol, sağ olun, eyvallah',
  and: 've',
  well: 'şey, hmm, ah, oh',
  leading: 'için, ile',
  closing: '(iyi|uygun|tamam|olur)',
  never: 'tabii tabi, tabi tabii',
  no: `hayır, yok, olmaz, hayır (olmaz|istemiyorum|gerek yok), istemiyorum, istemem, gerek yok, boşver, boş ver, vazgeçtim,
    vazgeç, vazgeçiyorum, reddediyorum, kabul etmiyorum, onaylamıyorum, asla, kesinlikle hayır, yapma, yapmayın, şimdi değil,
    unut gitsin, kalsın`,
  cancel: 'iptal, iptal et, iptal edin, iptal ediyorum, dur, durdur, durdurun, durun',
  condition: '(ama|fakat|) (sadece|ancak|) (eğer|şartıyla|koşuluyla)',
}
