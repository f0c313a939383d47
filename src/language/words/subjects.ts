import { stem } from './stem.ts'

/**
 * Subjects of requests and listings, each with its typical words. A word of several subjects counts less for each. Subjects let
 * a request match a listing without common words: an umbrella relates to weather.
 */
const wordsBySubject = `
  weather: weather forecast temperature rain rainy sun sunny sunshine snow snowy storm thunderstorm cloud cloudy umbrella degrees hot cold warm freezing frost fog humidity heatwave drizzle hail climate raincoat shower
  sea: marine sail sailing sailor boat harbour harbor tide swell wave gust kite kiting kitesurf surf surfing paddle kayak kayaking coast bay offshore yacht skipper knot sea ocean ferry windsurf regatta
  wind: wind windy gust breeze gale storm kite sail
  mountain: mountain hike hiking ski skiing avalanche summit trail climb climbing alpine peak glacier hut trek snowboard
  sky: star moon planet astronomy telescope eclipse satellite space comet galaxy orbit rocket nasa
  translate: translate translation translator translated interpreter say language german french spanish italian portuguese dutch polish russian turkish arabic hindi japanese chinese korean english swedish danish norwegian finnish greek hebrew czech hungarian romanian ukrainian catalan latin mandarin into foreign bilingual multilingual
  certified: certified sworn official officially stamp stamped notarised notarized notary authority authorities apostille registry court legalised certificate diploma birth
  flight: flight flights fly flying plane airline airport fare airfare airlines ticket nonstop layover economy business cabin luggage baggage jet aeroplane airplane stopover
  train: train trains rail railway station platform sleeper connection interrail wagon tram
  bus: bus coach metro subway underground tram commute transit
  drive: drive driver car taxi cab lift chauffeur road motorway parking traffic ride route
  carhire: car rental rent hire van vehicle automatic campervan motorbike scooter moped lease
  vehicle: car vehicle truck van motorbike motorcycle engine tyre tire garage mechanic brake oil bike bicycle scooter
  hotel: hotel hostel room night nights stay accommodation guesthouse apartment flat bnb lodging sleep bed motel resort guest guests booking check pension holiday
  trip: trip travel traveller journey itinerary holiday vacation tour sight sights sightseeing day days visit destination plan route guide backpacking honeymoon city break
  visa: visa passport entry border immigration embassy consulate citizen citizenship nationality customs stay vaccination permit schengen enter
  restaurant: restaurant table dinner lunch dine dining eat bistro cafe brunch reservation reserve book bar pizzeria trattoria
  food: food eat meal meals recipe recipes cook cooking dinner lunch breakfast diet vegan vegetarian halal kosher gluten calorie calories nutrition dish shopping grocery groceries weekly kitchen bake carb protein
  delivery: deliver delivered delivery courier parcel package ship shipping post mail pizza doorstep takeaway
  review_code: code review repository repo github gitlab commit branch pull request bug bugs pr codebase source refactor security performance readability developer
  debug: error crash crashed crashes exception traceback stack trace bug log fails failing undefined null segmentation fault npm pip build warning debug broken throw throws stacktrace compile compiler nullpointerexception typeerror
  program: code program programming developer software javascript python java typescript rust php go script function api app coder snippet algorithm framework
  regex: regex regexp regular expression pattern match matches matching pcre
  sql: sql query queries database table tables postgres postgresql mysql sqlite bigquery join select column columns dialect rows
  table: csv excel spreadsheet xlsx table column row rows duplicates duplicate decimal sheet cell columns export encoding clean umlauts
  statistics: statistics statistical significant significance test regression anova correlation hypothesis mean variance sample group groups difference data analysis dataset chi pvalue survey median study
  chart: chart graph plot diagram dashboard visualise visualize histogram infographic
  picture: picture image photo photograph drawing draw paint painting watercolour watercolor cartoon illustration illustrate sketch portrait render pixel artwork art poster scene art oil generate wallpaper avatar
  illustration: illustration illustrator cover print book poster commission commissioned artist editorial drawn children
  editphoto: background remove cutout cut transparent backdrop photo retouch crop edit erase behind png resize
  logo: logo brand branding mark emblem identity company club shop designer design sign svg badge symbol
  design: design designer layout style colours font typography ui ux website flyer banner brochure
  video: video clip film movie animation edit trailer youtube footage reel
  print: print printed printing printer flyers copies poster 3d
  transcribe: transcribe transcript transcription recording interview audio speech speaker speakers verbatim dictation typed type mp3 wav m4a podcast minutes voice memo message hearing word
  speak: read aloud loud voice voices speech audio mp3 narrate narration voiceover audiobook announcement spoken speak tts
  music: music jingle tune song melody compose composer intro beat soundtrack instrument guitar piano cello drums seconds cheerful lyrics playlist singer band sing
  contract: contract clause lease agreement tenant landlord tenancy rent employment employer employee terms sign signed legal risky risk liability negotiate deposit notice warranty buyer seller
  law: law legal lawyer attorney court judge sue rights regulation statute solicitor dispute jurisdiction
  nda: nda confidentiality confidential disclosure secret secrets agreement mutual parties party draft
  privacy: gdpr privacy cookie cookies tracker trackers consent banner data protection policy compliance comply european
  tax: tax taxes return vat income deduction accountant accounting bookkeeping irs declare declaration
  insurance: insurance insure policy premium claim coverage liability
  currency: currency exchange convert euro euros dollar dollars pound pounds yen franc francs rupee zloty krona usd eur gbp jpy chf sek pln inr brl cad aud rate money conversion foreign peso real rupees swiss
  loan: loan mortgage interest monthly repayment repay principal instalment years percent borrow credit rate bank debt
  stock: stock stocks share shares ticker quote index etf nasdaq price market trading exchange dax company invest investment bond fund dividend
  crypto: crypto bitcoin eth ethereum token coin blockchain wallet chain usdc usdt defi nft airdrop bsc base polygon solana staking
  wallet: wallet address holds holding funds transaction transactions balance portfolio profit loss chain came money
  scamtoken: token scam honeypot rug rugpull liquidity locked mint holders trust risky fake safe coin
  auditcontract: audit audited auditor auditors smart contract solidity vulnerability verified deployed exploit formal vault launch
  ads: ad ads advert advertising advertisement campaign headline google facebook linkedin tiktok instagram marketing copy slogan promote clicks sell
  seo: seo google rank ranking rankings found search engine keywords visibility traffic backlinks website higher page
  socialmedia: social post posts tweet twitter instagram hashtag followers caption linkedin
  article: article feature essay magazine write writer writing written piece story words journalist editor researched reportage
  blog: blog post posts newsletter article write content friendly website
  draft: draft quick text product description page about write copy text
  letter: letter write cover complaint apology formal application resignation
  proofread: proof proofread proofreading grammar spelling mistakes mistake typo typos correct correction corrected correctly commas punctuation english edit wrong errors language style fix
  rewrite: rewrite rephrase paraphrase reword simplify polish shorten improve tone
  poem: poem poetry verse rhyme limerick haiku toast speech eulogy wedding birthday farewell anniversary lines sonnet ode funeral retirement occasion
  story: story tale fairy fairytale bedtime novel fiction character plot
  joke: joke jokes funny pun riddle humour
  name: name names naming called call title brandname ideas idea invent domain baptise nickname
  explain: explain explains explanation understand how why works work mean meaning school homework teach teacher lesson maths physics history biology chemistry grammar learn tutor derivative equation primary secondary university pupil pupils grade kids topic class
  learnlanguage: vocabulary vocab learn words flashcard language course practise practice pronounce pronunciation
  flashcards: flashcard flashcards cards card anki deck notes memorise memorize vocabulary revise revision learn study
  quiz: quiz question questions trivia pub multiple choice answers exam test round class party hard easy
  medicine: medicine medicines drug drugs pill pills tablet tablets medication medications take taking together interaction dose ibuprofen paracetamol aspirin warfarin antibiotic prescription pharmacist pharmacy interactions metformin painkiller combine mix
  health: health symptom symptoms pain ache doctor illness sick disease diagnosis patient fever cough headache therapy hospital medical blood
  dentist: dentist tooth teeth appointment doctor surgery clinic
  mind: stress anxiety sleep depressed therapist meditation mindfulness
  fitness: workout workouts training train exercise exercises gym fitness run running marathon strength muscle weight lose coach session sessions pull push beginner fit kilometre half body back sport cardio yoga
  sportresult: score scores result results match game team won win lost lose beat league football soccer basketball hockey tennis cricket goal play played playing season fixture final next
  betting: bet betting odds lottery lotto casino gamble jackpot
  plumber: plumber electrician painter roofer locksmith handyman carpenter tradesperson tap leak leaks leaking dripping pipe boiler socket wiring roof keys locked drain toilet radiator wall repair postcode fix broken heating craftsman
  cleaning: clean cleaner cleaning windows laundry iron tidy vacuum wash
  moving: move moving carry furniture piano removal sofa upstairs relocate heavy
  homework_diy: paint room wall walls litres coats coat tiles wallpaper renovate diy metres bedroom ceiling colour height width
  meeting: meeting meet invite invitation invitations calendar schedule call appointment attendees attendee agenda zoom session conference
  mail: email mail send message subject inbox recipient reply forward tell write let
  thread: thread mails emails inbox conversation digest from subject re fwd want reply mailbox
  reminder: remind reminder alarm wake timer notify
  convertfile: convert pdf docx epub txt html word file format document kindle reader ebook odt conversion export
  extract: extract invoice receipt iban total field fields document scan ocr scanned bill form amount number read
  summarise: summarise summarize summary short shorter tldr tl dr gist sentence sentences sum main points brief digest article condense abstract version point nutshell
  keywords: keyword keywords tags terms topics extract
  executive: executive board report pages study deck analyst summary management figures
  research: research report sources source market competitor competitors background find investigate facts references who makers company companies overview
  papers: paper papers scientific study studies journal journals preprint literature academic doi abstract publication publications scholar research recent science
  scrape: scrape scraper scraping page pull prices titles table website extract web list addresses names pages get crawl
  price: cheapest cheap price prices buy compare product shop where order purchase offer offers deal bargain discount shipping store cost
  gift: gift gifts present presents birthday christmas surprise likes idea ideas budget wife husband mother father sister brother friend girlfriend boyfriend housewarming recipient colleague mum dad xmas loves
  news: news headline headlines latest today newspaper happened happening world politics update press event
  securityscan: security scan port ports vulnerability tls hack hacked hackers website open headers holes pentest server secure attack weak
  unit: unit units convert mile miles km kilometre kilometres metre metres feet foot inch inches cm pound pounds kilo kilos kg gram grams ounce ounces stone stones litre litres gallon gallons cup cups celsius fahrenheit kelvin degrees pint pints yard yards weigh weight length volume speed temperature
  plant: plant plants leaf leaves flower flowers pot soil water watering basil orchid monstera cactus tree tomato rose yellow brown droop droops wilting garden succulent fern bonsai houseplant roots pest aphids lawn hedge edges
  animal: dog dogs cat cats pet pets puppy kitten horse hamster fish vet walk feed hedgehog bird aquarium
  chess: chess pgn blunder blunders opening checkmate queen white black moves move endgame e4 d4 nf3 nf6 grandmaster
  game: game games gaming puzzle sudoku crossword play player board
  cv: cv resume resumes recruiter recruiters apply application career job skills experience hire assistant manager applying candidate
  job: job jobs vacancy hiring salary interview employer career work position apply
  time: time clock late hour hours now timezone zone oclock morning noon midnight local
  date: calendar date weekday countdown holiday holidays easter christmas week
  maths: calculate calculator sum percent percentage equation solve math maths formula average tip
  company: company firm business startup register founder b2b
  realestate: house flat apartment property buy rent landlord realtor estate rooms square
  wedding: wedding bride groom marry married marriage dress ceremony venue
  beauty: haircut hair hairdresser barber nails makeup massage spa beauty tattoo
  childcare: babysitter babysit nanny childcare kindergarten child
  event: concert opera theatre theater festival show tickets ticket cinema gig seats museum exhibition
  party: party birthday decorations dj catering balloons
  film: movie movies film films series watch cinema actor netflix streaming download
  book: book books novel author read library ebook
  phone: phone smartphone mobile iphone android screen battery sim laptop computer wifi
  phonecall: call phone ring telephone speak dial
  sell: sell selling resale auction listing ebay used secondhand
  buy: buy order purchase get
  politics: election vote president minister party parliament poll
  love: dating girlfriend boyfriend love relationship date partner
  horoscope: horoscope zodiac astrology tarot star sign fortune dream
  energy: electricity energy solar power heating gas panel meter kwh charging
  money: money spend budget save savings cash bank account transfer pay lend lent borrow
  material_goods: sand wood steel cement furniture chair desk sofa
  clothes: dress shirt shoes clothes fashion jeans size outfit jacket suit
  school: school university student students class exam thesis homework course teacher
  religion: church mosque prayer bible quran priest
  genealogy: ancestors genealogy family tree grandfather surname
  map: map address distance directions nearby location coordinates where
  website: website site web page online url homepage domain
  password: password login account hacked phishing
  domain: domain com dns hosting server whois
  sentiment: sentiment opinion review reviews rating feedback`

const subjectsByStem = new Map<string, Set<string>>()
for (const line of wordsBySubject.trim().split('\n')) {
  const [subject = '', words = ''] = line.trim().split(': ')
  for (const word of words.split(' ').map(stem)) subjectsByStem.set(word, (subjectsByStem.get(word) ?? new Set()).add(subject))
}

/** Returns the subjects of a stem. */
export const subjectsOfTerm = (term: string): ReadonlySet<string> => subjectsByStem.get(term) ?? new Set()

/** Returns the weight of each subject in some terms. A term's weight of 1 is divided among its subjects. */
export const toSubjects = (terms: readonly string[]): Map<string, number> => {
  const subjects = new Map<string, number>()
  for (const term of terms) {
    const of = subjectsOfTerm(term)
    for (const it of of) subjects.set(it, (subjects.get(it) ?? 0) + 1 / of.size)
  }
  return subjects
}

/** All words of all subjects, unstemmed. */
export const subjectWords: readonly string[] = [
  ...new Set(wordsBySubject.split(/\s+/).filter(it => it !== '' && !it.endsWith(':'))),
]
