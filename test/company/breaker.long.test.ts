import { describe, expect, it } from 'vitest';
import { Refused, Unreachable } from '../../src/clients/errors.ts';
import { openGate } from '../../src/company/company.ts';
import { createDatabases } from '../../src/db/databases.ts';
import { findPostgres, startPostgres } from '../archive/postgres-server.ts';
import { duringTests } from '../support/during-tests.ts';
import { call } from '../support/service-call.ts';
import { prepareContext } from '../support/tool-context.ts';

const never = new AbortController().signal;

describe.skipIf(findPostgres() === undefined)('replicas that share a database', () => {
  const server = duringTests(startPostgres);

  it('are fair to a service together: places, what failed and what was refused are known to all', async () => {
    const { url } = await server.createDatabase();
    const prepared = prepareContext({ DFE_DATABASE_URL: url, DFE_CONCURRENCY: '2' });
    const { settings } = prepared.context.company;
    const open = (tenant: string) => openGate(settings, tenant, createDatabases());
    const [one, other, stranger] = await Promise.all([open('a'), open('a'), open('b')]);

    const first = await one.gate.enter(call, never);
    const second = await other.gate.enter(call, never);
    const patience = AbortSignal.timeout(400);
    await expect(other.gate.enter(call, patience)).rejects.toMatchObject({ name: 'TimeoutError' });
    await (await stranger.gate.enter(call, never))();
    await first();
    const third = await other.gate.enter(call, never);
    await Promise.all([second(), third()]);

    const undue = new Refused(call, { code: '656' });
    await (await one.gate.enter(call, never))(undue);
    await expect(other.gate.enter(call, never)).rejects.toMatchObject({ reason: 'undue_consumption' });
    await (await stranger.gate.enter(call, never))();

    const elsewhere = { ...call, company: '58716523000119' };
    const down = new Unreachable(call, 'documents.example', 'ECONNREFUSED');
    for (const { gate } of [one, other, one, other, one]) await (await gate.enter(elsewhere, never))(down);
    await expect(other.gate.enter(elsewhere, never)).rejects.toMatchObject({ reason: 'failing' });
    expect([...other.gate.open]).toEqual(['documents']);
    await (await stranger.gate.enter(elsewhere, never))();
    await Promise.all([one.close(), other.close(), stranger.close(), prepared.close()]);
  });

  it('make calls all the same while the database is away', async () => {
    const prepared = prepareContext({ DFE_DATABASE_URL: 'postgres://keeper@127.0.0.1:1/nowhere' });
    const { gate, close } = await openGate(prepared.context.company.settings, 'a', createDatabases());
    await (await gate.enter(call, never))();
    await close();
  });
});
