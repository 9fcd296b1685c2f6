// What the SDK chooses by platform, as the build has it: Node's streams, and the smaller of the SDK's two validators of
// JSON Schemas, because arguments and answers are checked by zod.
export { default as process } from 'node:process';
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
