import type { Table } from '../phrases.ts'

const le = '(le|la|les|ça|cela)'

export const french: Table = {
  yes: `oui, ouais, ouaip,
    oui (s'il vous plaît|s'il te plaît|svp|stp|volontiers|bien sûr|je veux|je confirme|j'accepte|d'accord), mais oui,
    ma réponse est oui, c'est oui, c'est un oui`,
  order: `allez-y, vas-y, allons-y, on y va, (faites|fais)-${le}, (faites|fais) ça, fais ça,
    (vous pouvez|tu peux) (y aller|continuer|procéder|commencer|le faire|lancer), lancez, lance, procédez, commencez,
    commence, c'est parti
    (engagez|engage|embauchez|embauche|prenez|prends|réservez|réserve|commandez|commande|achetez|achète|payez|paie)-${le},
    (vous pouvez|tu peux) (l'engager|l'embaucher|réserver|commander)
    d'accord, (je suis|nous sommes) d'accord (avec ça|avec les termes|avec le prix|),
    (j'accepte|je confirme|j'approuve|je valide|nous acceptons) (les conditions|le prix|l'offre|la proposition|), accepté,
    confirmé, approuvé, validé, accepter, confirmer, valider, marché conclu, c'est entendu, convenu
    (ça|cela) me (va|convient), (ok|c'est bon|ça marche|d'accord|parfait|bon) pour moi, je (le|la|les) prends, je prends,
    vous avez mon accord, tu as mon accord`,
  sure: 'bien sûr, bien sûr que oui, certainement, absolument, volontiers, avec plaisir, évidemment, tout à fait, carrément',
  fair: "ça marche, c'est bon, ça roule, entendu, très bien, c'est d'accord, ça me semble (bien|bon|correct), ça va pour moi",
  aside: `bien, bon, parfait, super, génial, excellent, impeccable, nickel, exact, exactement, correct, alors, donc,
    maintenant, tout de suite, immédiatement, vite, dès que possible, bon prix, le prix (est|me va) (bon|correct|),
    c'est (parfait|bien|correct|exact|ça que je veux), ce serait (bien|parfait|gentil|super)`,
  please: "s'il vous plaît, s'il te plaît, svp, stp, je vous prie, je vous en prie",
  thanks: 'merci, merci beaucoup, merci bien, merci infiniment, grand merci, un grand merci',
  and: 'et',
  well: 'ah, oh, euh, hum, eh bien, bon, ben',
  naming: `(engagez|engage|embauchez|prenez|prends|choisissez|réservez|payez) (le|la|),
    (je prends|on prend|partons sur|on part sur) (le|la|)`,
  leading: 'pour, à, avec, de, par, le, la, au prix de',
  closing: "(est|c'est) (bon|bien|correct|ok), me va, me convient, ça me va",
  no: `non, nan, non non, surtout pas, pas du tout, bien sûr que non, certainement pas, pas question, hors de question,
    pas maintenant, pas intéressé, pas besoin, laisse tomber, laissez tomber, laisse, laissez, oublie, oubliez, oublie ça,
    je refuse, refusé, je ne (veux|veux plus) (pas|plus|), je n'en veux pas, je ne suis pas d'accord, pas d'accord,
    ne (le|la) (fais|faites) pas, plutôt pas, sans moi, jamais`,
  cancel: 'annule, annulez, annuler, annule ça, annulez ça, arrête, arrêtez, arrêter, stop',
  // As often "yeah, right".
  never: '(mais oui|oui oui) bien sûr',
  condition: `(mais|) (seulement|uniquement|) (si|quand|à condition que|à condition de|pourvu que|dès que|tant que|du moment que),
    (mais|) (sauf si|à moins que|pas avant)`,
}
