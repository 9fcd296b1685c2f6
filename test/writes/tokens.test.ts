import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { RecordUnusable } from '../../src/writes/data-folder.ts';
import { journalFile } from '../../src/writes/journal-file.ts';
import { type ConfirmedCall, tokenLifetimeMs } from '../../src/writes/tokens.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { call, tokensIn } from './records.ts';

const minute = 60_000;
let root: string;
let clock: number;

beforeEach(() => {
  root = temporaryFolder().path;
  clock = Date.parse('2026-11-20T12:00:00Z');
});

const tokens = (path = root) => tokensIn(path, () => clock);
const used = { ok: false, reason: 'used' };
const expired = { ok: false, reason: 'expired' };
const forged = { ok: false, reason: 'forged' };

describe('a token', () => {
  it('works once, for its call, in whatever order its arguments are written', async () => {
    const { token, expiresAt } = await tokens().mint(call);
    expect(expiresAt).toBe('2026-11-20T12:10:00.000Z');
    const { key, event, list } = call.args;
    const reordered = { ...call, args: { list, event, key, none: undefined } };
    expect(await tokens().spend(token, reordered)).toEqual({ ok: true, mintedAt: clock });
    expect(await tokens().spend(token, call)).toEqual(used);
    // Whatever else has changed since.
    clock += 11 * minute;
    expect(await tokens().spend(token, { ...call, shown: 'other' })).toEqual(used);
  });

  it.each<[ConfirmedCall, string]>([
    [{ ...call, tool: 'manifest_nfe_batch' }, 'changed'],
    [{ ...call, args: { ...call.args, event: 'ciencia' } }, 'changed'],
    [{ ...call, args: { ...call.args, list: [2, 1] } }, 'changed'],
    [{ ...call, args: { ...call.args, justification: '' } }, 'changed'],
    [{ ...call, principal: 'bia' }, 'other_principal'],
    [{ ...call, shown: { preview: 'Confirmação da operação', events: ['210220'] } }, 'preview_changed'],
  ])('is refused for %j as %s, and is not spent by that', async (other, reason) => {
    const { token } = await tokens().mint(call);
    expect(await tokens().spend(token, other)).toEqual({ ok: false, reason });
    expect(await tokens().spend(token, call)).toMatchObject({ ok: true });
  });

  it('is short, safe in a URL, and shows nothing of the call', async () => {
    const { token } = await tokens().mint(call);
    expect(token).toMatch(/^[A-Za-z0-9_.-]{1,199}$/);
    for (const text of [token, ...token.split('.').map((part) => Buffer.from(part, 'base64url').toString())])
      expect(text).not.toMatch(/manifest|5871652300011|confirmacao|ana/);
    expect((await tokens().mint(call)).token).not.toBe(token);
  });

  it('is refused when any character of it was changed, and when it never was one', async () => {
    const { token } = await tokens().mint(call);
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'A' ? 'B' : 'A';
      const changed = token.slice(0, index) + other + token.slice(index + 1);
      expect(await tokens().spend(changed, call), `character ${index}`).toEqual(forged);
    }
    const others = ['', 'x', '.', `${token}A`, token.slice(1), `${token}\n`, `${token}é`, `.${token}`];
    for (const text of others) expect(await tokens().spend(text, call), text).toEqual(forged);
    expect(await tokens().spend(token, call)).toMatchObject({ ok: true });
  });

  it('of another folder is forged', async () => {
    const { token } = await tokens(join(root, 'one')).mint(call);
    await tokens(join(root, 'two')).mint(call);
    for (const name of ['two', 'none'])
      expect(await tokens(join(root, name)).spend(token, call)).toEqual(forged);
  });
});

describe('time', () => {
  it('ends a token after ten minutes', async () => {
    const [{ token }, { token: second }] = [await tokens().mint(call), await tokens().mint(call)];
    expect(tokenLifetimeMs).toBe(10 * minute);
    clock += 10 * minute - 1;
    expect(await tokens().spend(token, call)).toMatchObject({ ok: true });
    clock += 1;
    expect(await tokens().spend(second, call)).toEqual(expired);
  });

  it('may go back a little, but a token from far in the future is refused, with the clock named', async () => {
    const [{ token }, { token: second }] = [await tokens().mint(call), await tokens().mint(call)];
    clock -= minute;
    expect(await tokens().spend(token, call)).toMatchObject({ ok: true });
    clock -= 60 * minute;
    expect(await tokens().spend(second, call)).toEqual({ ...expired, clockWentBack: true });
  });

  it('set forward by days and back does not make a spent token work again', async () => {
    const { token } = await tokens().mint(call);
    await tokens().spend(token, call);
    clock += 72 * 60 * minute;
    await tokens().spend((await tokens().mint(call)).token, call);
    clock -= 72 * 60 * minute;
    expect(await tokens().spend(token, call)).toEqual(used);
  });
});

describe('the folder', () => {
  it('holds one key of 32 bytes, for its owner only, whichever process makes it first', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => tokens().mint(call)));
    for (const { token } of made) expect(await tokens().spend(token, call)).toMatchObject({ ok: true });
    expect((await readdir(root)).sort()).toEqual(['confirmation.key', journalFile]);
    const key = join(root, 'confirmation.key');
    expect(await readFile(key)).toHaveLength(32);
    expect((await stat(key)).mode & 0o777).toBe(0o600);
  });

  it('that cannot be used lets no token be made or spent, and neither does its journal', async () => {
    const { token } = await tokens().mint(call);
    await writeFile(join(root, 'file'), '');
    await expect(tokens(join(root, 'file')).mint(call)).rejects.toThrow(RecordUnusable);
    await expect(tokens(join(root, 'file')).spend(token, call)).rejects.toThrow(RecordUnusable);
    await mkdir(join(root, journalFile));
    await expect(tokens().spend(token, call)).rejects.toThrow(RecordUnusable);
  });

  it('with a damaged key is refused, and the key is left as it is', async () => {
    await writeFile(join(root, 'confirmation.key'), 'short');
    await expect(tokens().mint(call)).rejects.toMatchObject({ code: 'KEY_DAMAGED' });
    expect(await readFile(join(root, 'confirmation.key'), 'utf8')).toBe('short');
  });
});
