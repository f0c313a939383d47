import type { Table } from '../phrases.ts'

export const portuguese: Table = {
  yes: `sim, sim (senhor|senhora|por favor|quero|aceito|concordo|confirmo|pode|claro), claro que sim, com certeza que sim,
    minha resposta é sim, é sim, pode sim`,
  order: `pode (fazer|ir|seguir|prosseguir|continuar|começar|contratar|reservar|pedir|mandar|pagar),
    podes (fazer|avançar|seguir|contratar|começar|continuar|reservar), (vá|vai|siga|segue) em frente,
    (faça|faz|faça|façam) (isso|), faz favor, avança, avance, avancem, prossiga, prossegue, procede, proceda, começa, comece,
    manda ver, manda bala, bora, vamos, vamos lá, vamos nessa, vamos em frente, vamos fazer (isso|)
    (contrata|contrate|reserva|reserve|compra|compre|paga|pague|pede|peça) (ele|ela|isso|este|esse|o agente|), contrate-o,
    contrata-o
    de acordo, (estou|estamos) de acordo,
    (eu|) (concordo|aceito|confirmo|aprovo|autorizo) (com isso|com os termos|com o preço|os termos|o preço|a oferta|a proposta|),
    concordamos, aceitamos, aceite, aceito, aprovado, confirmado, autorizado, confirmar, aceitar, combinado, fechado,
    negócio fechado, tem (a|) minha (aprovação|autorização|permissão)
    (por mim|para mim) (tudo bem|está bem|está ótimo|ok|pode ser), topo, eu topo, fico com (ele|ela|isso)`,
  sure: 'claro, com certeza, certamente, certo, sem dúvida, lógico, óbvio, com prazer, evidentemente',
  fair: `(está|tá|ta) (bem|bom|certo|ok|ótimo), tudo bem, tudo certo, beleza, blz, parece bem, parece bom, me parece bom,
    muito bem`,
  aside: `bom, ótimo, perfeito, excelente, maravilha, legal, exato, isso, isso mesmo, então, agora, já, agora mesmo,
    imediatamente, logo, o quanto antes, bom preço, o preço (está|é) (bom|ok|justo|certo)`,
  please: 'por favor, por gentileza, pf, pfv, se faz favor, faz favor',
  thanks: 'obrigado, obrigada, muito obrigado, muito obrigada, brigado, valeu, grato, grata, obg',
  and: 'e',
  well: 'bem, ah, oh, hum',
  naming: '(contrata|contrate|usa|use|escolhe|reserva|reserve|pede|paga) (o|a|), (vamos|vou|fico) com (o|a|)',
  leading: 'por, com, a, o, de, para, ao preço de',
  closing: '(está|é|tá) (bom|bem|ok|certo|justo)',
  no: `não, nope, claro que não, agora não, melhor não,
    não (quero|preciso|aceito|concordo|precisa|faça|faz|faça isso|contrate), não quero mais, de jeito nenhum, de modo nenhum,
    nem pensar, deixa, deixa pra lá, deixe, deixa estar, esquece, esqueça, esquece isso, recuso, recusado, dispenso`,
  cancel: 'cancela, cancele, cancelar, cancela isso, pare, parar, anula, anular, stop',
  // "In a moment". "Pode ser" alone is "perhaps", and stands in no list.
  never: '(já|agora|logo) vamos',
  condition:
    '(mas|) (só|somente|apenas|) (se|quando|desde que|contanto que|caso|assim que), (mas|) (a menos que|a não ser que|até que)',
}
