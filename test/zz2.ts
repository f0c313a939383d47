const base=process.argv[2]!
const { createRules } = await import(base+'/src/llm/rules.ts')
const { readerDir } = await import(base+'/test/reader.ts')
const { weighEvidence } = await import(base+'/src/llm/choice/evidence.ts').catch(()=>({}))
const rules = createRules({dir: readerDir})
const n=32*1024
