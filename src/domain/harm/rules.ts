// What is declined: a deed that meets a victim, or an act to make or get that meets a ban. Everything else is a task like any
// other.

/** Words that the rules below name in capitals. */
export const sets: Record<string, string> = {
  PERSON: `(?:wife|husband|ex|ex-?(?:wife|husband|girlfriend|boyfriend)|girlfriend|boyfriend|partner|spouse
    |mother|father|mum|mom|dad|sister|brother|son|daughter|uncle|aunt|cousin|grandma|grandpa|grandmother|grandfather
    |family|parents
    |neighbou?rs?|boss|landlord|landlady|teacher|professor|colleagues?|coworkers?|classmates?|flatmate|roommate
    |friends?|rival|competitor|employees?|staff
    |girls?|boys?|wom[ae]n|m[ae]n|guys?|kids?|child|children|pensioners?|persons?|stranger|customers?|users?|students?|tourists?
    |judge|journalist|politician|president|minister|witness|cop|police officer|policeman|official|immigrants?|refugees?)`,
  // "My wife" is a victim, and "my wife's plants" are none.
  VICTIM: String.raw`(?:(?:him|her|them|somebody|someone|everybody|everyone)(?: else)?\b(?!'s)(?! [a-z]+(?:ing|s)\b)
    |(?:(?:my|his|her|their|our|your|the|a|an|this|that|these|those|some|other|old|young|little|rich|business
    |next door)\s){1,3}PERSON\b(?!')
    |(?:(?:old|young|rich|lonely|elderly)\s)?(?:people|pensioners|immigrants|strangers|tourists|seniors)\b)`,
  OTHERS: String.raw`(?:his|her|their|(?:somebody|someone)(?: else)?'s|other people's|(?:(?:my|the|a|this|that
    |our)\s)(?:[a-z]+\s)?PERSON(?:'s|s'|')
    |(?:the|a|this|my)\s(?:school|bank|company|competitor|government|shop)(?:'s)?)`,
  ACCOUNT: `(?:accounts?|instagram|facebook|whatsapp|snapchat|tiktok|gmail|icloud|e?mails?|mailbox|inbox
    |messages?|phone|mobile|computer|laptop|pc|wi-?fi|network
    |servers?|systems?|database|website|site|passwords?|logins?|webcam|camera|router)`,
  BUILDING: '(?:house|flat|home|apartment|car|office|room|shop|store|warehouse|garage|villa|museum|bank)',
  MAKE: `(?:make|makes|making|build|building|write|writing|create|creating|design|code|program|develop|craft
    |generate|produce|print|forge|set up|prepare|cook|draw up|fake)`,
  GET: `(?:get|buy|buying|sell|order|find|need|want|hire|obtain|purchase|bring)`,
  SECRET: `(?:passwords?|pins?|pin codes?|(?:credit )?card numbers?|card details|bank details|credentials
    |log ?ins?|savings|pensions?)`,
  SITE: `(?:site|website|web ?page|page|server|servers|shop|service|app|network)`,
  MAILS: `(?:e?-?mails?|letters?|messages?|posts?|texts?|sms|notes?|calls?|comments?|tweets?)`,
  // Few words, and no end of a sentence: the article, adjectives, and the like.
  SOME: String.raw`(?:(?!(?:about|on|against|for|of|from|with|to|into|in|at|like|as)\b)[\w'-]+\s){0,3}?`,
  MORE: String.raw`(?:[\w'@,-]+(?:\.\w+)*\s){0,9}?`,
  // The noun stands for itself: "a virus", and not "a virus scanner".
  END: String.raw`(?=\s*(?:$|[.,;:!?)]|that\b|which\b|who\b|to\b|for\b|from\b|with\b|without\b|in\b|at\b|on\b|and\b
    |or\b|so\b|by\b|of\b|online\b|against\b|pls\b|please\b|now\b|fast\b|over\b|until\b|while\b|because\b|before\b
    |after\b|otherwise\b|unless\b))`,
}

/** Each line is one rule: deeds that meet a victim, its property or its secrets. */
export const deeds = String.raw`
(?:kill|murder|assassinate|strangle|stab|poison|kidnap|abduct|torture|rape|blackmail|extort|stalk|doxx?|swat|drug
  |burgle|mug) VICTIM
(?:hurt|harm|injure|harass|intimidate|threaten|terrori[sz]e|bully|humiliate) VICTIM(?: (?:badly|physically|anonymously
  |secretly))?END
(?:i|we)(?:'ll| will|'m going to| am going to) (?:hurt|harm|injure) VICTIM if (?:she|he|they) (?:(?:doesn't|don't|won't|does not|do not|will not)\b|tells? (?:anyone|anybody|someone|somebody|the police))
beat VICTIM up\b
beat(?:ing)? up VICTIM
(?:want|wish|have|get) VICTIM (?:dead|killed|murdered|beaten(?: up)?|poisoned|kidnapped|hurt|out of the way)
break (?:his|her|their|OTHERS) (?:legs?|arms?|neck|nose|bones|fingers)
(?:help me|how (?:do|can|could|should) i|how to|i want to|i will|going to) (?:\w+ )?(?:kill|hurt|harm|cut|hang|starve) myself\b
tell VICTIM (?:that )?(?:she|he|they) should (?:kill|hang|hurt)
(?:scam|defraud|swindle|rob) VICTIM
(?:con|cheat|trick) VICTIM MORE(?:out of|into (?:giving|sending|paying|typing|telling|sharing|buying|revealing))\b
tricks? VICTIM into\b
(?:(?:looks?|sounds?) like|pretend(?:s|ing)? to be|pos(?:e|es|ing) as|impersonat(?:e|es|ing)|in the name of) MORE(?:bank|paypal|post office|tax office|police|amazon|microsoft|government)\b MORE(?:their|people|his
  |her|customers?|users?|victims?) MORESECRETEND
(?:steal|skim|phish|harvest) (?:OTHERS |from )?SOME(?:SECRET|customer data|identit(?:y|ies))END
steals? SECRETEND
(?:hack|hacking|break|breaking|get me|log|sneak|get) (?:into|in to) (?:OTHERS|VICTIM) SOME(?:ACCOUNT|BUILDING)\b
(?:hack|hacking|break) into (?:the |a |an |this )?(?:SOMEACCOUNT|bank|school|company|government)END
hack (?:VICTIM|(?:this|the|an?) account)END
(?:hack|crack|bypass) (?:into )?(?:OTHERS|somebody else's) SOMEACCOUNT\b
(?:hack|crack) (?:this|the|an?) SOME(?:ACCOUNT|password of)\b MORE(?:of OTHERS|of VICTIM)
(?:i|we) (?:want|plan|try|am going|are going) to (?:break in|rob|burgle|steal|hack|scam|cheat people)\b
(?:break into|breaking into|rob|robbing|burgle) (?:a|the|my|his|her|their|OTHERS|somebody's) SOMEBUILDING(?: next door)?END
(?:want to |i )?(?:read|track|follow|record|film|watch|listen to|search|monitor|bug|open|copy|install|log|get|put
  |undress|photograph) MORE(?:PERSON(?:'s)?|his|her|their)\b MORE(?:secretly|without (?:him|her|them|anyone
  |telling) ?(?:knowing|noticing|finding out|asking)?|behind (?:his|her|their) back)
spy(?:ing)? on (?:VICTIM|OTHERS (?:phone|mobile|messages|whatsapp|e?mails?|computer|calls))
(?:install|put|hide) SOME(?:tracker|spyware|keylogger|hidden camera|gps|bug)\b MORE(?:PERSON|OTHERS)
(?:ddos|dos|take down|bring down|knock out|flood) (?:this|the|a|their|his|her|OTHERS) SOMESITE\b
(?:find|where|get|follow)\b MORE(?:lives?|address|school|phone number|moved)\b,? MORE(?:blocked me|won't (?:talk
  |speak)|moved away from me|doesn't want|outside (?:her|his|their)|so (?:that )?i can (?:scare|follow|hurt|visit))
find (?:out )?where VICTIM (?:lives?|works?|moved)\b MOREwithout (?:her|him|them) knowing
find (?:the |a |my )?PERSON who (?:blocked|left|reported) me
(?:which |what )?(?:medicines?|pills|drugs?|drink|dose|poison) MORE(?:doesn't|does not|never|won't|not) wakes? up
(?:which |what )?(?:drops?|pills?|powder|drugs?) MORE(?:put|mix|slip|pour) MORE(?:in|into) (?:his|her|their|OTHERS) (?:drink|tea|coffee|glass|beer
  |wine)\b MORE(?:notices?|noticing)\b
(?:drug|spike|poison) (?:his|her|their|OTHERS) SOME(?:drinks?|food|tea|coffee|beer|wine|glass|water)\b
(?:put|mix|slip|pour) MORE(?:in|into) (?:his|her|their|OTHERS) (?:drink|food|tea|coffee|glass)\b MORE(?:asleep
  |wakes? up|noticing|dies?|sick|unconscious)
(?:cut|slash|sabotage|tamper with) (?:the )?SOME(?:brakes?|brake (?:lines?|cables?)|tyres?|tires?) (?:of|on
  |in) OTHERS SOME(?:car|van|truck|bike|motorbike|motorcycle|bicycle)\b
(?:burn down|set fire to|blow up) (?:a|the|my|his|her|their|OTHERS|some) SOME(?:BUILDING|school|church|mosque
  |synagogue|barn|train|plane|station)END
(?:naked|nude|sexual|undressed) (?:pictures?|photos?|images?|videos?|pics) of (?:VICTIM|children|minors|a minor|kids)
undress (?:this|the|that|a|my) SOMEPERSON\b
deep ?fakes? (?:porn )?(?:of|with) (?:VICTIM|OTHERS)
(?:spread|post|publish) SOME(?:lies|rumou?rs|her pictures|his pictures|naked) MORE(?:about|of|that) VICTIM
bribe (?:VICTIM|an official|officials)
(?:get|give|find|show|send)(?: me)? SOME(?:credit )?card numbers of\b
(?:find out|guess|get|crack) SOME(?:pin|password|login) of OTHERS
clone (?:a |the |this )?(?:credit |bank )?cards?END
(?:extort|steal) (?:money|cash) from VICTIM
(?:write|send) SOMEMAILS threatening\b
(?:write|send|make) (?:a |some )?threats? to VICTIM
(?:poison|torture) (?:OTHERS|the|my|a|an) (?:dog|cat|animal|horse|pet)\b
`

/** Each line is one rule: acts to make, get or do what is banned. */
export const bans = String.raw`
(?:hire|find|need|want|get|looking for) (?:me )?(?:a|an) (?:hitman|hit man|contract killer|assassin)END
(?:MAKE|GET|send|use) SOME(?:phishing|scam) (?:MAILS|site|website|page|campaign|kit|script)END
(?:MAKE|GET) SOME(?:ransomware|malware|spyware|keylogger|trojan|botnet|computer virus|virus|rootkit|computer worm)END
(?:MAKE|GET|set off|plant) SOME(?:bombs?|explosives?|nerve gas|molotovs?|molotov cocktails?|chemical weapons?|ied
  |grenades?|dynamite)END
(?:MAKE|GET|smuggle) SOME(?:methamphetamine|cocaine|heroin|meth|crystal meth|mdma|fentanyl|illegal drugs?|illegal weapons?
  |illegal guns?|illegal firearms?)END
(?:GET|give) SOME(?:kilos?|kg|grams?|ounces?|pounds?|bags?|pills?) of (?:cocaine|heroin|meth\w*|mdma|fentanyl|crack)END
(?:synthesi[sz]e|synthesis (?:routes?|steps?) (?:for|of|to)) SOME(?:meth|methamphetamine|mdma|fentanyl|heroin|sarin|novichok|ricin
  |nerve agents?|tatp)END
(?:MAKE|GET|grow|culture|weaponi[sz]e|spread) SOME(?:anthrax|ricin|sarin|novichok|nerve agents?|botulinum toxin)(?: spores)?END
(?:enrich|refine|GET) SOME(?:uranium|plutonium) for (?:a |an |my |the |our )?(?:weapon|bomb|warhead|attack)
(?:bring|take|carry|get|sneak|smuggle) SOME(?:bombs?|explosives?|grenades?) (?:through|past|onto|on|into) SOME(?:airport
  |security|plane|aircraft|school|court|stadium)\b
(?:MAKE |GET )?poison (?:that )?(?:nobody|no one) (?:can|could|will) (?:detect|notice|trace|find)
(?:gun|weapon|pistol|rifle|firearm) (?:without (?:papers|a licen[cs]e|licen[cs]e|registration)|that can't be (?:detected|traced))
(?:GET|MAKE) SOME(?:untraceable|unregistered|ghost) (?:gun|weapon|pistol|rifle)s?\b
(?:MAKE|GET) SOME(?:fake|forged|counterfeit|false|bogus) (?:passports?|id cards?|identity (?:cards?|papers|documents)
  |driving licen[cs]es?|driver'?s licen[cs]es?|doctor'?s notes?|diplomas?|bank statements?|bank ?notes|papers)END
(?:MAKE|print) SOME(?:fake|counterfeit) (?:money|euros?|dollars?|bills|cash|banknotes)END
(?:MAKE) SOMEfake (?:log ?in|bank|paypal) (?:page|site|website)\b
fake (?:a|an|my|the) (?:doctor'?s note|bank statement|passport|diploma|signature|alibi|id card)\b
forge (?:a|an|my|his|her|their|the|OTHERS) SOME(?:signature|contract|diploma|passport|will|certificate|prescription|document)\b
(?:GET|use|clone|guess) MOREstolen (?:credit )?(?:cards?|card numbers|data|goods|passports?|identit(?:y|ies))\b
(?:wash|launder|clean|hide|move|mix) MORE(?:stolen|dirty|drug|illegal) (?:money|usdc|bitcoins?|crypto|cash|funds|coins)\b
launder(?:ing)? (?:(?:my|the|this|our|some|dirty) )?(?:money|cash|funds|usdc|bitcoins?|crypto)\b
(?:evade|dodge) (?:my |the )?tax(?:es)?\b
(?:rig|manipulate|falsify|fake) (?:the |an |some )?(?:elections?|votes?|ballots?)END
(?:plan|organi[sz]e|commit|carry out|prepare) SOME(?:terror(?:ist)? attack|bombing|(?:mass|school) shooting|massacre|bank robbery
  |robbery|murder)END
plan an attack on\b
recruit SOME(?:(?:people|members|fighters|men|boys|girls) )?for (?:(?:a )?terror|isis\b|isil\b|al[- ]?qa)
(?:send|write|make) SOME(?:threatening|death threat|blackmail|extortion|hate) MAILSEND
send SOMEdeath threats\b
smuggle (?:people|weapons|guns|drugs|cigarettes|migrants)\b
(?:rob|robbing) (?:a|the|my) SOME(?:bank|store|shop|jewell?er'?s?|jewell?ery store|post office|train)END
(?:how (?:do|can|could|should) i|help me|teach me to|i want to) (?:\w+ )?(?:shoplift|steal (?:a|the|some|his|her|their) )
child (?:porn|pornography|abuse (?:images|videos))
(?:sexual|erotic|sexy|porn\w*|nude|naked) SOME(?:content|story|stories|fiction|pictures?|photos?|images?|videos?|pics|scenes?
  |texts?) (?:about|of|with|featuring) SOME(?:child|children|minors?|kids?|toddlers?|(?:[1-9]|1[0-7])[ -]?years?[ -]old)\b
(?:MAKE|write|post|get|buy|order|need|want|hire|sell) SOME(?:fake|false) (?:five star |5 star |one star )?reviews\b
propaganda MOREviolence\b
`

/** Words in a deed that undo it: "I need to report a stolen card". */
export const undoing = String.raw`\b(?:report|reporting|recover|prevent|protect|detect|avoid|block|remove|removal
  |against|respond|reply|answer)\b`

/** Words after which a deed is told, asked about or prevented, and not ordered. "Can you" and "how do I" still order. */
export const guards = String.raw`\b(?:news|articles?|films?|movies?|scenes?|screenplays?|sketch|villains?|books?|novels?|story|stories|songs?|lyrics|series
  |documentary|episode|podcast|games?|plot|chapter|history|historical
  |who|whose|when|did|was|were|has|had|is|are|prevent|protect(?:ion|ed)?|avoid|against|detect|report(?:ed)?
    |recogni[sz]e|defend|stop|block|not|never|don't|dont|didn't|tried|trying|tries|wants
  |definition|meaning|mean|means|why|punishment|sentence|law|penalty|difference|if
  |(?<!\b(?:i|we) )(?:can|could|will|would|should|does|do|may|might)(?! (?:you|i|we)\b)|(?:what|which)(?! (?:[\w'-]+ ){0,6}?(?:can
    |could|should|do|would) (?:i|you|we)\b))\b`

/** Words that make a deed a prop or a game: "a bath bomb", "rob a bank in GTA". They may stand in it or after it. */
export const pretended = String.raw`\b(?:(?:bath|water|glitter|seed|stink|fork) bombs?|water balloons?|props?|play money
  |monopoly|minecraft|roblox|fortnite|skyrim|gta|grand theft auto|kerbal|(?:board|card|video|computer) games?)\b`
