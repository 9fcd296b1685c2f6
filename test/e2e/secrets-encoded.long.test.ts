import './secrets-encoded.test.ts';
