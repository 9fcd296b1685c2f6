import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment, program, runProgram, temporaryFolder } from '../support/built-program.ts';
import { freePort } from '../support/free-port.ts';
import { runInProcess } from '../support/run-in-process.ts';

const english = { DFE_LANGUAGE: 'en' };

/** Starts the program, which has said where it listens, and gives what it says on standard error. */
async function startHttp(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [program, 'http', ...args], {
    env: cleanEnvironment({ ...english, ...env }),
  });
  let told = '';
  child.stderr.on('data', (data) => {
    told += data;
  });
  const until = async (words: string) => {
    while (!told.includes(words)) await once(child.stderr, 'data');
  };
  await until('/mcp');
  return { child, told: () => told, until };
}

describe('docfiscal-mcp http does not start', () => {
  it('where others could reach it and nobody is asked who they are', async () => {
    const args = ['http', '--port', '0', '--host', '0.0.0.0'];
    const { code, stderr } = await runProgram(args, { ...english, DFE_HTTP_INSECURE: '1' });
    expect(stderr).toContain('DFE_HTTP_HOST');
    expect(code).toBe(2);
  });

  it.each<[string, string[], Record<string, string>, string]>([
    [
      'behind an address for others without identity',
      [],
      { DFE_HTTP_URL: 'https://fiscal.example' },
      'DFE_HTTP_URL',
    ],
    [
      'where tokens would go in clear',
      ['--host', '0.0.0.0'],
      { DFE_AUTH_ISSUER: 'https://id.example', DFE_HTTP_URL: 'http://fiscal.example' },
      'https',
    ],
    [
      'with a tenants file that is not there',
      [],
      { DFE_TENANTS: '/nonexistent/tenants.json' },
      'DFE_TENANTS',
    ],
    ['with an origin that is none', [], { DFE_HTTP_ORIGINS: 'https://app.example/path' }, 'DFE_HTTP_ORIGINS'],
  ])('%s', async (_, args, env, words) => {
    const { code, stderr } = await runInProcess(['http', '--port', '0', ...args], { ...english, ...env });
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });

  it('with a tenants file that is wrong, whose line it names', async () => {
    const folder = temporaryFolder();
    const path = join(folder.path, 'tenants.json');
    writeFileSync(
      path,
      '{"tenants": [\n{"id": "a", "companies": ["48152036*"], "who": [],\n"settings": {"DFE_READONLY": "1"}}]}',
    );
    const { code, stderr } = await runInProcess(['http', '--port', '0'], { ...english, DFE_TENANTS: path });
    expect(stderr).toContain('line 3');
    expect(stderr).toContain('DFE_READ_ONLY');
    expect(code).toBe(2);
    folder.remove();
  });
});

it('docfiscal-mcp http serves, its metrics on a port of their own, until it is told to end', async () => {
  const [port, metrics] = [await freePort(), await freePort()];
  const { child } = await startHttp(['--port', String(port)], { DFE_METRICS_PORT: String(metrics) });
  const [ready, counted] = await Promise.all([
    fetch(`http://127.0.0.1:${port}/readyz`),
    fetch(`http://127.0.0.1:${metrics}/metrics`),
  ]);
  expect(ready.status).toBe(200);
  expect(await counted.text()).toContain('docfiscal_breaker_open{service="documents"} 0');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it.skipIf(process.platform === 'win32')(
  'docfiscal-mcp http says behind its start whose password cannot be read, and keeps its tenants where the file is broken',
  async () => {
    const folder = temporaryFolder();
    const path = join(folder.path, 'tenants.json');
    const who = [
      { token_sha256: createHash('sha256').update('t').digest('hex'), scopes: ['documents:read'] },
    ];
    const tenant = (id: string) => ({
      id,
      who,
      companies: ['48152036*'],
      settings: { DFE_PASSWORD_FILE: 'nothing' },
    });
    writeFileSync(path, JSON.stringify({ tenants: [tenant('horizonte')] }));
    const { child, told, until } = await startHttp(['--port', '0'], { DFE_TENANTS: path });
    await until('horizonte (ENOENT)');
    writeFileSync(path, JSON.stringify({ tenants: [tenant('horizonte'), { ...tenant('aurora'), who: [] }] }));
    child.kill('SIGHUP');
    await until('reloaded: 2 tenants');
    await until('aurora (ENOENT)');
    writeFileSync(path, '{"tenants": [');
    child.kill('SIGHUP');
    await until('stays in force');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(told().match(/DFE_PASSWORD_FILE of .*/g)).toEqual([
      'DFE_PASSWORD_FILE of 1 tenant cannot be read, and its calls alone fail: horizonte (ENOENT)',
      'DFE_PASSWORD_FILE of 2 tenants cannot be read, and their calls alone fail: horizonte (ENOENT), aurora (ENOENT)',
    ]);
    folder.remove();
  },
);

it('docfiscal-mcp token shows a token and the hash that stands in the file', async () => {
  const { code, stdout } = await runProgram(['token'], english);
  const [token] = /dfe_[\w-]{43}/.exec(stdout) ?? [];
  const [, hash] = /"token_sha256": "([0-9a-f]{64})"/.exec(stdout) ?? [];
  expect(hash).toBe(
    createHash('sha256')
      .update(token ?? '')
      .digest('hex'),
  );
  expect(code).toBe(0);
});
