import type { Table } from '../phrases.ts'

export const spanish: Table = {
  yes: `sí, sip, sipi, sí (por favor|señor|señora|quiero|acepto|confirmo|estoy de acuerdo), que sí, claro que sí,
    por supuesto que sí, mi respuesta es sí`,
  order: `adelante, siga adelante, sigue adelante, (vale|ok|sí) adelante, dale, dale pues, hazlo, hágalo, háganlo, hacedlo,
    hazlo ya, procede, proceda, (puedes|puede|pueden) (proceder|empezar|hacerlo|contratarlo|continuar), empieza, empiece,
    comienza, comience
    (contrátalo|contrátala|contrátalos|contrátelo|contrátela|resérvalo|resérvelo|pídelo|pídalo|cómpralo|cómprelo|
      págalo|páguelo|mándalo),
    vamos, vamos allá, hagámoslo, vamos a hacerlo
    de acuerdo, (estoy|estamos) de acuerdo (con (eso|ello|los términos|el precio)|),
    (acepto|aceptamos|confirmo|confirmamos|apruebo) (los términos|el precio|la oferta|la propuesta|), aceptado, aprobado,
    confirmado, confirmar, aceptar, trato hecho, tienes mi (permiso|aprobación|visto bueno)
    me parece (bien|perfecto|correcto), por mí (bien|vale|perfecto|está bien|ok), me (sirve|vale|conviene),
    lo (quiero|tomo|compro), me lo quedo`,
  sure: 'claro, por supuesto, desde luego, con gusto, con mucho gusto, encantado, encantada, seguro, sin duda',
  fair: '(está|esta) bien, vale, suena bien, bueno vale, muy bien, órale, hecho',
  aside: `bien, perfecto, genial, estupendo, excelente, fantástico, buenísimo, buen precio, correcto, exacto, entonces, pues,
    ya, ahora, ahora mismo, ya mismo, cuanto antes, enseguida, el precio (está|es) (bien|correcto|justo|razonable)`,
  please: 'por favor, porfa, porfavor, porfis, xfa',
  thanks: 'gracias, muchas gracias, mil gracias, muchísimas gracias, te lo agradezco, se lo agradezco',
  and: 'y, e',
  well: 'bueno, pues, ah, oh, eh, mmm',
  naming: '(contrata|contrate|usa|use|elige|reserva|pide|compra|paga) (a|el|la|), (me quedo|vamos|voy) con (el|la|)',
  leading: 'por, a, con, de, para, el, la, al, al precio de',
  closing: '(está|es) (bien|ok|correcto|justo), me parece (bien|correcto)',
  no: `no, nop, nope, no no, que no, claro que no, por supuesto que no, ahora no, mejor no,
    (no|ya no) (quiero|hace falta|me interesa|lo quiero|lo necesito|acepto), ni hablar, de ninguna manera, déjalo, déjelo,
    olvídalo, olvídelo, olvida eso, (lo|) rechazo, rechazado, no estoy de acuerdo, no lo hagas, no lo contrates`,
  cancel: 'cancela, cancele, cancelar, cancélalo, cancélelo, pare, detente, anula, anular, anúlalo, stop',
  // As often "yeah, right", and "in a moment".
  never: 'sí claro, sí sí claro, claro sí, claro que sí claro, (ya|ahora) vamos',
  condition: `(pero|) (solo|sólo|) (si|cuando|siempre que|siempre y cuando|con tal de que|a condición de que|en caso de que),
    (pero|) (a menos que|salvo que|hasta que)`,
}
