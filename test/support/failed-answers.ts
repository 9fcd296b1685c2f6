import { expect } from 'vitest';
import { password } from './configured-server.ts';
import type { Responder } from './recording-upstream.ts';

export const asJson = { 'content-type': 'application/json; charset=utf-8' };

/** Answers everything alike. */
export function send(status: number, body: string, headers: Record<string, string> = {}): Responder {
  return (_request, response) => {
    response.writeHead(status, headers).end(body);
  };
}

/** Every form of the password to search for. */
const passwordForms = [
  password,
  encodeURIComponent(password),
  new URLSearchParams({ senha: password }).toString().slice('senha='.length),
  Buffer.from(password).toString('base64'),
  'S3nh',
];

/** Expects neither the password nor addresses, markup or inner workings of the service in a text. */
export function expectHarmless(text: string): void {
  for (const form of passwordForms) expect(text).not.toContain(form);
  expect(text).not.toMatch(/https?:\/\/\S*\?/);
  expect(text).not.toMatch(/(usuario|senha)=[^*]/);
  expect(text).not.toMatch(/<\/?(!doctype|html|head|title|body|h1|p|script)\b/i);
  expect(text).not.toMatch(/\bat \S+\(|C:\\|StackTrace|NullReference/);
  expect(text).not.toMatch(/secret place/);
}

/** One paragraph that reports the failure and cannot be mistaken for an empty list. */
export function expectFailed(result: { isError: boolean; text: string; structured: unknown }): void {
  expect(result.isError, result.text).toBe(true);
  expect(result.structured).toBeUndefined();
  expect(result.text).toMatch(/Nothing was changed at the service\.$/);
  expect(result.text).not.toContain('\n');
  expect(result.text).not.toMatch(/none:|nothing found|empty list|"keys":\[\]/i);
  expectHarmless(result.text);
}
