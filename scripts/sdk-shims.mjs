// The SDK's platform modules, as the build uses them: Node's streams, and the smaller of its two validators of JSON
// Schemas, because zod checks arguments and answers.
export { default as process } from 'node:process';
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
