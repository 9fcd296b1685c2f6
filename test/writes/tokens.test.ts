import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDataFolder, DataFolderUnusable } from '../../src/writes/data-folder.ts';
import { type ConfirmedCall, createTokens, tokenLifetimeMs } from '../../src/writes/tokens.ts';
import { bundle, start } from './child-processes.ts';

const minute = 60_000;
const call: ConfirmedCall = {
  tool: 'manifest_nfe',
  args: { key: '35170458716523000119550010000000121000123458', event: 'confirmacao', list: [1, 2] },
  principal: 'ana',
  shown: { preview: 'Confirmação da operação', events: [] },
};

let root: string;
let clock: number;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'docfiscal-'));
  clock = Date.parse('2026-11-20T12:00:00Z');
});
afterEach(() => rm(root, { recursive: true, force: true }));

function tokensIn(path: string) {
  return createTokens({ folder: createDataFolder(path), now: () => clock });
}

describe('a token', () => {
  it('works once, for its call', async () => {
    const tokens = tokensIn(root);
    const { token, expiresAt } = await tokens.mint(call);
    expect(expiresAt).toBe('2026-11-20T12:10:00.000Z');
    expect(await tokens.spend(token, call)).toMatchObject({ ok: true });
    expect(await tokens.spend(token, call)).toMatchObject({ ok: false, reason: 'used' });
    expect(await tokensIn(root).spend(token, call)).toMatchObject({ ok: false, reason: 'used' });
  });

  it('does not depend on the order in which arguments are written', async () => {
    const tokens = tokensIn(root);
    const { token } = await tokens.mint(call);
    const { key, event, list } = call.args;
    const reordered = { ...call, args: { list, event, key, none: undefined } };
    expect(await tokens.spend(token, reordered)).toMatchObject({ ok: true });
  });

  it('is refused for another tool, other arguments or another principal, and is not spent by that', async () => {
    const tokens = tokensIn(root);
    const { token } = await tokens.mint(call);
    const others: [ConfirmedCall, string][] = [
      [{ ...call, tool: 'manifest_nfe_batch' }, 'changed'],
      [{ ...call, args: { ...call.args, event: 'ciencia' } }, 'changed'],
      [{ ...call, args: { ...call.args, list: [2, 1] } }, 'changed'],
      [{ ...call, args: { ...call.args, justification: '' } }, 'changed'],
      [{ ...call, principal: 'bia' }, 'other_principal'],
    ];
    for (const [other, reason] of others)
      expect(await tokens.spend(token, other)).toMatchObject({ ok: false, reason });
    expect(await tokens.spend(token, call)).toMatchObject({ ok: true });
  });

  it('is refused when what was shown no longer holds, and works when it holds again', async () => {
    const tokens = tokensIn(root);
    const { token } = await tokens.mint(call);
    const now = { ...call, shown: { preview: 'Confirmação da operação', events: ['210220'] } };
    expect(await tokens.spend(token, now)).toMatchObject({ ok: false, reason: 'preview_changed' });
    expect(await tokens.spend(token, call)).toMatchObject({ ok: true });
  });

  it('is short, safe in a URL, and shows nothing of the call', async () => {
    const { token } = await tokensIn(root).mint(call);
    expect(token).toMatch(/^[A-Za-z0-9_-]{1,199}$/);
    const bytes = Buffer.from(token, 'base64url').toString('latin1');
    for (const part of ['manifest', '35170458716523000119', 'confirmacao', 'ana'])
      expect(bytes).not.toContain(part);
    expect((await tokensIn(root).mint(call)).token).not.toBe(token);
  });

  it('is refused when any character of it was changed, and when it never was one', async () => {
    const tokens = tokensIn(root);
    const { token } = await tokens.mint(call);
    const forged = { ok: false, reason: 'forged', clockWentBack: false };
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'A' ? 'B' : 'A';
      const changed = token.slice(0, index) + other + token.slice(index + 1);
      expect(await tokens.spend(changed, call), `character ${index}`).toEqual(forged);
    }
    const others = [
      '',
      'x',
      `${token}A`,
      token.slice(1),
      'A'.repeat(token.length),
      '../../etc',
      `${token}\n`,
    ];
    for (const text of others) expect(await tokens.spend(text, call), text).toEqual(forged);
    expect(await tokens.spend(token, call)).toMatchObject({ ok: true });
  });

  it('of another folder is forged', async () => {
    const { token } = await tokensIn(join(root, 'one')).mint(call);
    await tokensIn(join(root, 'two')).mint(call);
    for (const name of ['two', 'none']) {
      const spending = await tokensIn(join(root, name)).spend(token, call);
      expect(spending).toMatchObject({ ok: false, reason: 'forged' });
    }
  });
});

describe('time', () => {
  it('ends a token after ten minutes', async () => {
    const tokens = tokensIn(root);
    const { token } = await tokens.mint(call);
    const { token: second } = await tokens.mint(call);
    clock += 10 * minute - 1;
    expect(await tokens.spend(token, call)).toMatchObject({ ok: true });
    clock += 1;
    expect(await tokens.spend(second, call)).toMatchObject({ ok: false, reason: 'expired' });
    expect(tokenLifetimeMs).toBe(10 * minute);
  });

  it('may go back a little, but a token from far in the future is refused', async () => {
    const tokens = tokensIn(root);
    const { token } = await tokens.mint(call);
    const { token: second } = await tokens.mint(call);
    clock -= minute;
    expect(await tokens.spend(token, call)).toMatchObject({ ok: true });
    clock -= 60 * minute;
    expect(await tokens.spend(second, call)).toMatchObject({ ok: false, reason: 'expired' });
  });

  it('set back by hours does not make a spent token work again', async () => {
    const tokens = tokensIn(root);
    const { token } = await tokens.mint(call);
    await tokens.spend(token, call);
    clock += 5 * 60 * minute;
    await tokens.mint(call);
    clock -= 5 * 60 * minute;
    expect(await tokens.spend(token, call)).toMatchObject({ ok: false, reason: 'used' });
  });

  it('lets go of the marks of tokens that expired more than a day ago', async () => {
    const tokens = tokensIn(root);
    for (let count = 0; count < 3; count += 1) await tokens.spend((await tokens.mint(call)).token, call);
    await writeFile(join(root, 'spent', 'note-of-someone'), '');
    expect(await readdir(join(root, 'spent'))).toHaveLength(4);
    clock += 24 * 60 * minute + 11 * minute;
    const { token } = await tokens.mint(call);
    expect(await readdir(join(root, 'spent'))).toEqual([
      'note-of-someone',
      `pruned-until-${Date.parse('2026-11-20T12:00:00Z')}`,
    ]);
    expect(await tokens.spend(token, call)).toMatchObject({ ok: true });
  });

  it('set forward by 26 hours, for a preview, and back does not revive a spent token', async () => {
    const tokens = tokensIn(root);
    const { token: unspent } = await tokens.mint(call);
    const { token } = await tokens.mint(call);
    await tokens.spend(token, call);
    clock += 26 * 60 * minute;
    const { token: later } = await tokens.mint(call);
    clock -= 26 * 60 * minute;
    for (const dead of [token, unspent]) {
      expect(await tokens.spend(dead, call)).toMatchObject({ ok: false, reason: 'expired' });
    }
    expect(await tokens.spend(later, call)).toEqual({ ok: false, reason: 'expired', clockWentBack: true });
    clock += 1;
    expect(await tokens.spend((await tokens.mint(call)).token, call)).toMatchObject({ ok: true });
  });

  it('set back after a token was spent later is told of', async () => {
    const tokens = tokensIn(root);
    clock += 60 * minute;
    await tokens.spend((await tokens.mint(call)).token, call);
    clock -= 60 * minute;
    const { token } = await tokens.mint(call);
    expect(await tokens.spend(token, { ...call, shown: 'other' })).toEqual({
      ok: false,
      reason: 'preview_changed',
      clockWentBack: true,
    });
  });
});

describe('the folder', () => {
  it('holds a key of 32 bytes for its owner only, and no draft of it', async () => {
    await Promise.all(Array.from({ length: 8 }, () => tokensIn(root).mint(call)));
    expect((await readdir(root)).sort()).toEqual(['confirmation.key', 'spent']);
    const key = join(root, 'confirmation.key');
    expect(await readFile(key)).toHaveLength(32);
    expect((await stat(key)).mode & 0o777).toBe(0o600);
  });

  it('that cannot be used lets no token be made or spent', async () => {
    const { token } = await tokensIn(join(root, 'good')).mint(call);
    await writeFile(join(root, 'file'), '');
    await expect(tokensIn(join(root, 'file')).mint(call)).rejects.toThrow(DataFolderUnusable);
    await expect(tokensIn(join(root, 'file')).spend(token, call)).rejects.toThrow(DataFolderUnusable);
  });

  it('where spending cannot be recorded lets no token be spent', async () => {
    const tokens = tokensIn(root);
    const { token } = await tokens.mint(call);
    await rm(join(root, 'spent'), { recursive: true });
    await writeFile(join(root, 'spent'), 'a file in its place');
    await expect(tokens.spend(token, call)).rejects.toMatchObject({ kind: 'data_folder_unusable' });
  });

  it('with a damaged key is refused, and the key is left as it is', async () => {
    await mkdir(root, { recursive: true });
    await writeFile(join(root, 'confirmation.key'), 'short');
    await expect(tokensIn(root).mint(call)).rejects.toMatchObject({ code: 'KEY_DAMAGED' });
    expect(await readFile(join(root, 'confirmation.key'), 'utf8')).toBe('short');
  });
});

describe('two processes', () => {
  const script = `
    import { createInterface } from 'node:readline';
    import { createDataFolder } from 'writes/data-folder.ts';
    import { createTokens } from 'writes/tokens.ts';
    const call = ${JSON.stringify(call)};
    console.log('ready');
    for await (const line of createInterface({ input: process.stdin })) {
      const [order, path, token] = line.split(' ');
      const tokens = createTokens({ folder: createDataFolder(path) });
      if (order === 'mint') console.log((await tokens.mint(call)).token);
      else { const spent = await tokens.spend(token, call); console.log(spent.ok ? 'ok' : spent.reason); }
    }`;
  let scripts: string;
  let children: ReturnType<typeof start>[];

  beforeAll(async () => {
    scripts = await mkdtemp(join(tmpdir(), 'docfiscal-scripts-'));
    await bundle(script, join(scripts, 'tokens.mjs'));
    children = [0, 1].map(() => start(join(scripts, 'tokens.mjs'), []));
    for (const child of children) expect(await child.nextLine()).toBe('ready');
  });
  afterAll(async () => {
    for (const child of children) child.process.stdin?.end();
    await Promise.all(children.map((child) => child.ended));
    await rm(scripts, { recursive: true, force: true });
  });

  const askBoth = (line: string) =>
    Promise.all(
      children.map((child) => {
        child.send(line);
        return child.nextLine();
      }),
    );

  it('at one token: exactly one spends it, 50 times', async () => {
    const tokens = createTokens({ folder: createDataFolder(root) });
    for (let round = 0; round < 50; round += 1) {
      const { token } = await tokens.mint(call);
      expect((await askBoth(`spend ${root} ${token}`)).sort(), `round ${round}`).toEqual(['ok', 'used']);
    }
  });

  it('at a new folder: both use one key, 50 times', async () => {
    for (let round = 0; round < 50; round += 1) {
      const path = join(root, String(round));
      const minted = await askBoth(`mint ${path}`);
      const tokens = createTokens({ folder: createDataFolder(path) });
      for (const token of minted) {
        expect(await tokens.spend(token ?? '', call), `round ${round}`).toMatchObject({ ok: true });
      }
      expect((await readdir(path)).sort()).toEqual(['confirmation.key', 'spent']);
    }
  });
});
