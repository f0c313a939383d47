import type { Table } from '../phrases.ts'

const es = '(es|das|ihn|sie|den|die)'

export const german: Table = {
  yes: `ja, jawohl, jep, jap, jo, ja (bitte|gerne|gern|sicher|natürlich|unbedingt|klar doch), ja das (will|möchte) ich,
    (ich sage|von mir ein|meine antwort ist) ja, aber ja, oh ja`,
  order: `(mach|macht|machen sie) ${es}, mach mal, mach ruhig, klar mach, machen wir (so|), (machen wir|mach) es so,
    so machen wir (es|das), nur zu, leg los, legen sie los, fang an, fangen sie an, starten, los gehts, auf gehts
    (beauftrage|beauftragen sie|buche|buchen sie|bestelle|bestellen sie|nimm|nehmen sie|kaufe|kaufen sie|bezahle|
      bezahlen sie|engagiere) ${es}
    (bitte|) (beauftragen|buchen|bestellen|ausführen|durchführen|starten|machen|loslegen|fortfahren), beauftragen, buchen,
    bestellen, kaufen
    einverstanden, (ich bin|wir sind|bin|) (damit|) einverstanden, (ich|wir) (stimme|stimmen) (dem|) zu, stimme zu,
    zugestimmt, bestätigt, (ich|wir) (bestätige|bestätigen) (es|das|), bestätige, bestätigen
    angenommen, (ich nehme|wir nehmen|nehme) (es|das|das angebot|) (an), genehmigt, freigegeben, freigabe erteilt, akzeptiert,
    (ich|) akzeptiere (es|das|), abgemacht, deal, gebongt, geht klar
    (das|) passt (mir|für mich|so), (das ist|ist|) (für mich|von mir aus) (in ordnung|ok|okay|gut),
    (das geht|geht) in ordnung, du darfst, sie dürfen, du kannst loslegen, sie können loslegen, ich nehme es, nehme ich`,
  sure: `klar, na klar, klar doch, natürlich, selbstverständlich, sicher, gern, gerne, sehr gern, sehr gerne, auf jeden fall,
    unbedingt, freilich, logisch`,
  fair: 'in ordnung, passt, gut so, (das|) (klingt|hört sich) gut (an|), (das ist|ist) (ok|okay|gut|in ordnung|fein)',
  aside: `gut, sehr gut, super, prima, toll, perfekt, klasse, fein, wunderbar, bestens, genau, richtig, stimmt, so, dann,
    jetzt, sofort, gleich, jetzt gleich, so schnell wie möglich, guter preis, der preis (ist|geht) (ok|okay|gut|in ordnung),
    das wäre (gut|schön|nett|super|toll|prima)`,
  please: 'bitte, bitte sehr, bitteschön',
  thanks: 'danke, danke schön, dankeschön, danke sehr, vielen dank, besten dank, herzlichen dank',
  and: 'und',
  well: 'na gut, hm, hmm, äh, ähm, also',
  naming: `(beauftrage|buche|nimm|bestelle|engagiere|bezahle|nehmen sie|beauftragen sie) (den|die|das|),
    (ich nehme|wir nehmen) (den|die|das|)`,
  leading: 'für, mit, zu, von, bei, der, die, das, den, zum preis von',
  closing: '(ist|sind) (ok|okay|gut|in ordnung|fair), passt, geht in ordnung',
  no: `nein, nö, nee, ne, nein (nicht|das nicht), lieber nicht, (bitte|) nicht, auf keinen fall, (auf|) gar nicht,
    kein interesse, kein bedarf, nicht nötig, vergiss es, vergessen sie es, lass es, lassen sie es, lass (das|mal|gut sein),
    (ich|) (lehne|lehnen) (das|) ab, abgelehnt, (mach|machen sie) ${es} nicht, nicht (machen|buchen|beauftragen),
    (ich will|ich möchte|ich brauche) (das|es) nicht (mehr|), natürlich nicht, doch nicht`,
  cancel: `abbrechen, (brich|brechen sie) (das|es|) ab, storniere (das|es|), stornieren, stopp, stop, abbruch, halt,
    (bitte|) (abbrechen|stornieren)`,
  // As often "yeah, right".
  never: 'ja ja natürlich',
  condition: '(aber|) (nur|) (wenn|falls|sofern|solange|sobald|unter der bedingung), (aber|) (außer|es sei denn|bis|erst wenn)',
}
