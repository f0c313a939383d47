import type { Table } from '../phrases.ts'

const them = '(it|them|him|her|this|that|this one|that one|this agent|that agent|the agent)'
const terms =
  '(the|this|that|your|these|those|the proposed|all) (terms|price|offer|proposal|deal|conditions|hire|order|purchase|payment)'
const deed = `(go ahead|proceed|start|begin|do it|do that|do this|hire ${them}|book (it|that|this|them)|
  order (it|that|this)|take (it|that|this)|buy (it|that|this))`
const ok = '(fine|ok|okay|good|great|alright|all right|fair|perfect|reasonable)'
const me = '(me|us)'

export const english: Table = {
  yes: `yes, yep, yup, yess, yesss, yees, ye, yea, yse, yas, y, aye, affirmative
    (oh|ooh|ah) yes, hell (yes|yeah), yes (sir|maam|boss)
    yes (i|we) (do|would|am|are|agree|accept|confirm|approve|want it|want that|want this), yes you (can|may|should), yes do,
    yes (it|that) is
    yes (look|look it up|search|find|read|review|plan), yes (to|) (this|that|this one|that one), yes to (it|both|all|all of it|all of them|both of them|everything|${terms})
    (its|it is|thats|that is) a (clear|definite|big|firm|) yes (from me|from us|for me|),
    (my|our) answer is (a|) (clear|definite|) yes`,

  order: `go, do, run, go on then, go ahead, go right ahead, go for (it|that|this), (just|) do (it|that|this|so), (please|pls|plz) do, proceed, do (go ahead|proceed|start|begin),
    start, start it, begin
    (lets|let us) (go|${deed}|go for it|get started|get going|make it happen), (you|u) (may|can|are free to) ${deed},
    feel free to ${deed}
    (i|we) (want|would like|wish|am happy|are happy) to ${deed}, (id|wed|im happy|were happy) (like to|to|) ${deed}
    hire ${them}, (book|order|buy|pay|take) (it|that|this|them|that one|this one), pay,
    (ill|i will|we will|i) take (it|this|that|them|this one|that one)
    send, (send|ship|run|get) it, get (this|them), crack on, have at it, (reserve|schedule|arrange) (it|this|that|them|him|her), (book|put) (it|this|that|them) in,
    have (it|this|that|them) (written|made|drawn|sent|booked|ordered|printed|fixed|done|arranged|delivered|checked), send (him|her|them) (round|over|along),
    get (it|this|that|them) (written|made|sent|booked|ordered|printed|fixed|sorted|arranged|delivered|checked), (lets|let us) (have it|roll), send it off, get (it done|it started|it going|started|going), make it (so|happen)
    agreed, (i|we) (do|fully|totally|completely|hereby|) agree,
    (i|we) (do|fully|totally|completely|hereby|) agree (to|with) (it|this|everything|${terms})
    (accept|approve|confirm), (accepted|approved|confirmed) (by me|), (accept|approve) (it|this|${terms}),
    confirm (it|this|(the|this|my) (hire|order|purchase))
    (i|we) (do|fully|hereby|) (accept|approve|confirm), (i|we) (do|fully|hereby|) (accept|approve|confirm) (it|this|${terms})
    you have (my|our) (ok|okay|yes|approval|permission|consent|go ahead|agreement) (to ${deed}|), (permission|approval) granted,
    you have (the|a) green light
    deal, its a deal, (thats|that is) a deal, done deal, (you have|weve got|we have|you got yourself|youve got) a deal, sold,
    im sold, (im|i am|we are) in, count (me|us) in
    youre hired, you are hired
    (that|this|it|) works (fine|great|well|perfectly|) for ${me}, (that|this|it|) suits ${me} (fine|well|)
    (thats|that is|its|it is|this is|) ${ok} (by|with|for) ${me},
    (im|i am|were|we are) (fine|ok|okay|happy|good|cool) with (it|that|this|${terms})
    lgtm, good to go, thumbs up, (please|pls|plz) (continue|carry on|go on), (continue|carry on|go on) (please|pls|plz)`,

  sure: `sure, sure thing, yeah, yeh, yah, ya, (of|) course, certainly, absolutely, definitely, by all means, with pleasure,
    gladly, for sure
    (sure|yes|ok|okay|yeah) why not, (i|) (dont|do not|cant|cannot) see why not`,

  fair: `bet, (that|it|) sounds like a plan, k, kk, fine, alright, all right, (ok|okay|alright|all right) then, alrighty, okie dokie, okey dokey, very well
    (that|this|it|all|) sounds (good|great|grand|fine|perfect|right|fair|reasonable|ok|okay|lovely|excellent|ideal) (to me|to us|)
    (that|this|it|all|everything|) looks (good|great|fine|perfect|right|correct|ok|okay) (to me|to us|), (that|this|it|) works`,

  work: `hire, book, order, reserve, buy, send, take, find out, look it up, (get|bring|send) (him|her|them) in, continue, carry on, go on
    (translate|convert|write|check|make|draw|summarise|summarize|proofread|build|create|design|analyse|analyze|calculate|
      scan|audit|fetch|track|transcribe|generate|render) (it|this|that|them|)
    (review|find|send|read|plan|do) (it|this|that|them)`,

  aside: `why not
    (thats|that is) the one, thank (goodness|god|heavens)
    great, perfect, good, nice, cool, excellent, wonderful, lovely, awesome, fantastic, brilliant, amazing, super,
    splendid, terrific, very good, all good, very nice
    (thats|that is|its|it is|this is) (${ok}|it|right|correct|lovely|excellent|exactly right|
      (exactly|just|) what (i|we) (want|wanted|need|needed))
    (thats|that is|thatd be|that would be) (very|so|really|) (great|kind|nice|lovely|good|perfect|splendid|wonderful|helpful)
    is ${ok}, (it|that|this|he|she|they)ll do, (it|that|this|he|she|they) will do
    (my|) (dear|darling|love|mate|pal|buddy|friend)
    (my|the) (wife|husband|partner|boss|manager|mum|mom|dad|team) (says|said) (yes|ok|okay|its ok|its fine|go ahead)
    (great|good|fair|nice|reasonable) price, (the|) price is ${ok}, the terms are ${ok}, cheap enough, fair enough, fair,
    makes sense, that makes sense
    right, correct, exactly, precisely, indeed, actually, after all, finally, on second (thought|thoughts),
    come to think of it, i changed my mind
    then, now, right now, right away, straight away, at once, immediately, asap, quickly, quick, fast, hurry, hurry up,
    as soon as possible
    as (proposed|discussed|agreed|shown|described), (i|we) (want|need) (it|this|that),
    (id|i would|wed|we would) (like|love) (it|this|that), all of it`,

  please: 'please, pls, plz, plse, kindly',
  thanks: `thanks, ty, tysm, cheers, much appreciated, thank (you|u) (very much|so much|kindly|),
    thanks (a lot|so much|very much|a million|a bunch|), many thanks`,
  and: 'and, &',
  well: 'sorry, mhm, well, well then, hm, hmm, hmmm, mm, mmm, um, umm, uh, er, erm, ah, oh, so',

  naming: `(hire|book|use|take|choose|pick|select|order|buy|pay) (the|the agent|agent|your|), go (with|for) (the|the agent|agent|)
    (lets|let us) (hire|book|use|take|go with|go for) (the|), (ill|i will|we will|i) (hire|take|use|choose|pick|go with) (the|)
    (i|we) (want|would like) to (hire|book|use|take|go with) (the|), (id|wed) like to (hire|book|use|take|go with) (the|),
    yes to (the|), ok to (the|)`,
  leading: `for, for the, at, with, with the, by, from, to, to the, of, the, agent, the agent, terms, digest, price, the price of,
    a price of, a total of, at a price of, for a total of`,
  closing: `(is|are|seems|sounds|looks) (${ok}|right|correct) (by me|with me|for me|to me|), works (for me|for us|),
    (in|) total, all in, it is`,

  no: `no, n, nope, nah, naah, na, noo, nooo, no (no|way|deal|way jose), (no|not) (this|that), (hell|oh|god|ugh) no, no need,
    negative
    never mind, nevermind, nvm, (just|) forget (it|this|that|about it), leave it, drop it, skip it, (ill|i will|we will) pass,
    hard pass, pass on (it|this|that)
    (i|we) (decline|refuse|reject), (i|we) (decline|refuse|reject) (it|this|that|${terms}), decline, declined, reject,
    rejected, reject (it|this|that), decline (it|this|that)
    dont, do not, do nothing,
    (dont|do not) (do|hire|book|buy|send|pay|order|take|start) (it|this|that|them|him|her|anyone|anybody|anything|),
    dont bother
    (its|it is|thats|that is) a no (from me|from us|), (my|our|the) answer is no,
    (absolutely|certainly|definitely|of course|surely) not
    (id|i would|we would) rather not, rather not, better not, count me out, im out, not interested, (im|i am) not interested,
    not for me, no longer needed, thumbs down, (not|no) (anymore|any more|today|now|really|interested|needed)
    (ok|okay|well|) (bye|goodbye|good bye), (thats|that is) (all|enough), nothing (else|more|), enough,
    (im|we are) done (here|), (i|ive|i have|) changed my mind, forget (i asked|what i said)
    (leave|skip|drop) (that|this one|both|them), (lets|ill|i will|i) leave it (at that|there|), let it be,
    lets not (do it|do that|), pass, i pass, quit, exit, too bad
    (ill|i will|we will) do it (myself|ourselves|on my own), (i|we) (found|solved|did) it (myself|ourselves),
    under no circumstances, not a chance
    (then|in that case) (no|not|rather not|better not), (im|) afraid not, too expensive
    (i|we) (dont|do not) (want|need) (it|this|that|them) (any more|anymore|now|), (i|we) (dont|do not) agree,
    (i|we) (dont|do not) accept`,
  cancel: `cancel, stop, abort, cancel (it|this|that|everything|please), stop (it|this|that|everything), abort (it|this|that),
    call it off`,

  condition: `(but|and|) (only|) (if|when|once|provided|providing|provided that|as long as|so long as|assuming|
      on condition that|on the condition that|in case),
    (but|) (unless|until|not if|not unless|not before)`,
  // Said to the other side: "please confirm", "please go".
  never: '(please|pls|plz) (confirm|go), confirm (please|pls|plz)',
  repeated: 'yes, go',
}
