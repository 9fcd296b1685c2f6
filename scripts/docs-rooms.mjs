// What each room of src is for. What it builds on is read from its imports.
export const purposes = {
  documents: 'the fiscal domain: keys, tax ids, layouts, summaries, events, rules; pure, no I/O, no protocol',
  sandbox: 'a stand-in for both services with data of its own; loaded only when asked for',
  clients: 'the shared HTTP client, the operations as data, what reads their replies, the account service',
  writes: 'the journal, confirmation tokens, the folder they are kept in',
  archive: 'the one memory of documents: fetching what is missing, storing, asking, exporting',
  messages: 'everything a person reads, in two languages, and the translator',
  config: 'every setting once, the command line, secrets',
  services: "what hangs on one company's configuration, made on first use; failures and journaling",
  mcp: 'what all tools share: definitions, arguments, schemas, answers, confirmation, registration, resources',
  manifestation: 'which notes may be manifested, the preview, sending, the status of events',
  replacement: 'a full replacement: what it would clear, its preview, sending',
  questions: 'what a question needs fetched, examining, the wording of an answer',
  tools: 'the definitions of the tools and little else',
  server: 'the MCP server over stdio',
  commands: 'what the command line can do: doctor, archive, demo, sandbox, help',
  'index.ts': 'the executable',
};
