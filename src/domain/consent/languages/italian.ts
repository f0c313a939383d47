import type { Table } from '../phrases.ts'

export const italian: Table = {
  yes: `sì, sì (per favore|per piacere|volentieri|confermo|accetto|signore|signora|lo voglio|va bene|d'accordo), certo che sì,
    direi di sì, la mia risposta è sì, ma sì`,
  order: `procedi, proceda, procedete, procedi pure, proceda pure, procediamo, vai, vai pure, vai avanti, vada, vada pure,
    vada avanti, fallo, fallo pure, lo faccia, fatelo, facciamolo, facciamo così, fai pure, faccia pure,
    puoi (procedere|andare avanti|farlo|iniziare|partire), può (procedere|andare avanti|farlo|iniziare), inizia, inizi,
    inizia pure, avanti, partiamo, andiamo, si parta, si proceda
    (assumilo|assumila|assumili|lo assuma|prenotalo|prenota|lo prenoti|ordinalo|lo ordini|compralo|lo compri|pagalo|
      lo paghi|ingaggialo|prendilo)
    d'accordo, (sono|siamo) d'accordo (con i termini|con il prezzo|),
    (accetto|confermo|approvo|autorizzo|accettiamo) (i termini|il prezzo|l'offerta|la proposta|), accettato, confermato,
    approvato, autorizzato, confermare, accettare, affare fatto, aggiudicato, intesi, siamo intesi, ci sto,
    hai il mio (permesso|consenso|ok)
    per me (va bene|ok|è ok|va benissimo), mi (va bene|sta bene|conviene), lo (voglio|prendo), la prendo`,
  sure: `certo, certamente, sicuro, sicuramente, volentieri, assolutamente, assolutamente sì, naturalmente, ovviamente,
    con piacere, senza dubbio`,
  fair: 'va bene, va benissimo, okay va bene, sta bene, benissimo, suona bene, mi sembra (ok|buono|giusto|corretto)',
  aside: `bene, perfetto, ottimo, benone, fantastico, eccellente, esatto, esattamente, giusto, corretto, allora, adesso, ora,
    subito, immediatamente, il prima possibile, pure, buon prezzo, il prezzo (è|va) (ok|bene|giusto|buono)`,
  please: 'per favore, per piacere, per cortesia, perfavore',
  thanks: 'grazie, grazie mille, molte grazie, tante grazie, ti ringrazio, la ringrazio',
  and: 'e, ed',
  well: 'ah, oh, ehm, bene',
  naming: '(assumi|usa|scegli|prenota|prendi|ordina|paga) (il|la|), (prendo|andiamo con|scelgo) (il|la|)',
  leading: 'per, a, con, di, da, il, la, al prezzo di',
  closing: '(va|è) (bene|ok|giusto)',
  no: `no, nono, certo che no, assolutamente no, meglio di no, direi di no, non ora, non adesso,
    no (non|) (voglio|serve|mi interessa), non (lo voglio|mi serve|serve|accetto|farlo|voglio|sono d'accordo), lascia perdere,
    lasci perdere, lascia stare, lasci stare, dimentica, dimenticalo, rifiuto, rifiutato, neanche per sogno, neanche per idea,
    per niente`,
  cancel: 'annulla, annullare, annullalo, annulli, cancella, ferma, fermati, fermo, si fermi, stop, basta',
  // As often "yeah, right".
  never: 'sì sì certo',
  condition: '(ma|) (solo|soltanto|) (se|quando|purché|a patto che|a condizione che|appena), (ma|) (a meno che|finché|tranne se)',
}
