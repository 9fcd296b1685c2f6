import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import {
  accessKey,
  company,
  cteXml,
  documentListReply,
  emptyReply,
  keyCheckDigit,
  nfeXml,
} from '../support/documents.ts';
import { listing } from '../support/listing-service.ts';
import { setToday } from '../support/passing-time.ts';
import { json, type Responder } from '../support/recording-upstream.ts';

const october = { from: '2026-10-01', to: '2026-10-31' } as const;
const customer = '07391455000124';

/** The same key in the month of a day. */
function keyOn(day: string, key: string): string {
  const first43 = `35${day.slice(2, 4)}${day.slice(5, 7)}${key.slice(6, 43)}`;
  return `${first43}${keyCheckDigit(first43)}`;
}

/** The same document, issued on another day. */
function on(day: string, xml: string): string {
  const [, key = ''] = /Id="(?:NFe|CTe)(\d{44})"/.exec(xml) ?? [];
  return xml.replaceAll(key, keyOn(day, key)).replaceAll('2026-11-05T', `${day}T`);
}

const noteOf = (day: string, number: number) => on(day, nfeXml({ number }));
const keyOfNote = (day: string, number: number) => keyOn(day, accessKey({ number }));
const freight = (day: string, ...keys: string[]) => on(day, cteXml({ number: 1 }, keys));

/** A note whose carriage the company pays to a third party. */
const collected = (day: string, number: number) =>
  noteOf(day, number).replace(
    '</total>',
    `</total><transp><modFrete>1</modFrete><transporta><CNPJ>${customer}</CNPJ></transporta></transp>`,
  );

let program: ConfiguredServer;

beforeEach(async () => {
  setToday('2026-11-21T15:00:00Z');
  program = await startConfigured({ respond: listing([]) });
});
afterEach(async () => {
  await program.close();
  vi.useRealTimers();
});

interface Answer {
  readonly complete: boolean;
  readonly documents: number;
  readonly findings: readonly { key?: string; found: string; expected: string; message: string }[];
}

async function check(
  respond: readonly string[] | Responder,
  args: object,
): Promise<Answer & { text: string }> {
  program.upstream.respond(typeof respond === 'function' ? respond : listing(respond));
  const { isError, text, structured } = await program.call('check_documents', { ...october, ...args });
  expect(isError, text).toBe(false);
  return { ...(structured as unknown as Answer), text };
}

/** Fails what covers a day of one family of documents. */
const failing =
  (documents: readonly string[], family: string, day: string): Responder =>
  (request, response, count) => {
    const asked = new Map(request.query);
    const dayOf = (name: string) => asked.get(name)?.split('/').reverse().join('-') ?? '';
    const isHit = request.path.includes(family) && dayOf('dataDe') <= day && day <= dayOf('dataAte');
    if (isHit) return json(response, { Message: 'An error has occurred.' }, 500);
    return listing(documents)(request, response, count);
  };

describe('a CT-e that carries a note which is not there', () => {
  const args = { document: 'cte', rule: 'cte_without_nfe' } as const;
  const lost = keyOfNote('2026-10-07', 900);
  const its = freight('2026-10-10', lost);

  it.each([
    ['no note at all', []],
    ['a note of the month before', [noteOf('2026-09-12', 1)]],
    ['a note of later', [noteOf('2026-10-20', 1)]],
  ])('is found beside %s', async (_, notes) => {
    const { findings, complete } = await check([its, ...notes], args);
    expect(complete).toBe(true);
    expect(findings).toMatchObject([{ key: keyOn('2026-10-10', accessKey({ number: 1, model: '57' })) }]);
    expect(findings[0]?.message).toContain(lost);
  });

  it('is not judged where a day could not be fetched, and the answer says of which kind', async () => {
    const answer = await check(failing([its], '/Mercadoria/', '2026-10-03'), args);
    expect(answer.findings).toEqual([]);
    expect(answer).toMatchObject({
      complete: false,
      missing: [{ document: 'nfe', from: '2026-10-03', to: '2026-10-03' }],
    });
    expect(answer.text).toContain('NF-e: ⚠ INCOMPLETE');
  });

  it('is judged by the notes’ days alone: those of CT-e that are missing are told as such', async () => {
    const answer = await check(failing([its], '/Transporte/', '2026-10-04'), args);
    expect(answer).toMatchObject({ missing: [{ document: 'cte', from: '2026-10-04', to: '2026-10-04' }] });
    expect(answer.findings).toMatchObject([{ found: '0', expected: '1' }]);
    expect(answer.text).not.toContain('nothing is said');
  });

  it('is not told of a note of a month that was not fetched as a whole', async () => {
    const old = noteOf('2026-08-25', 5);
    const carries = freight('2026-10-05', keyOfNote('2026-08-25', 5), keyOfNote('2026-08-25', 6));
    const answer = await check([carries, old, noteOf('2026-08-31', 7)], args);
    expect(answer).toMatchObject({ complete: true, findings: [], documents: 1 });
  });

  it('is not told of a note that the archive has from another question', async () => {
    const note = noteOf('2026-10-07', 900);
    const byEntry: Responder = (request, response, count) =>
      listing(request.path.includes('PelaEntrada') ? [its, note] : [its])(request, response, count);
    expect((await check(byEntry, args)).findings).toHaveLength(1);
    const question = { document: 'nfe', by: 'entry', from: '2026-10-07', to: '2026-10-07' };
    const { structured } = await program.call('query_documents', question);
    expect(structured).toMatchObject({ documents: 1 });
    expect((await check(byEntry, args)).findings).toEqual([]);
  });
});

describe('a note whose carriage the company pays', () => {
  const args = { document: 'nfe', rule: 'nfe_without_cte' } as const;

  it('is found where there is no CT-e at all, once half a month is over', async () => {
    // Today is 2026-11-21: the CT-e of a note of 2026-11-10 may be still to come.
    const notes = [collected('2026-10-05', 1), collected('2026-11-10', 2)];
    const { findings, complete } = await check(notes, { ...args, to: '2026-11-15' });
    expect(complete).toBe(true);
    expect(findings).toMatchObject([{ key: keyOfNote('2026-10-05', 1), found: '0', expected: '1' }]);
  });

  it('is not judged where a day of the CT-e could not be fetched', async () => {
    const notes = [collected('2026-10-05', 1), collected('2026-10-15', 2)];
    const answer = await check(failing(notes, '/Transporte/', '2026-10-09'), args);
    expect(answer).toMatchObject({ complete: false, missing: [{ document: 'cte', from: '2026-10-09' }] });
    expect(answer.findings).toMatchObject([{ key: keyOfNote('2026-10-15', 2) }]);
  });

  it('has its CT-e, of the month after', async () => {
    const its = freight('2026-11-02', keyOfNote('2026-10-05', 1));
    expect((await check([collected('2026-10-05', 1), its], args)).findings).toEqual([]);
  });
});

describe('own numbers', () => {
  const sold = (number: number) => on('2026-10-08', nfeXml({ number, issuer: company, recipient: customer }));
  const entered = (number: number) => sold(number).replace('<tpNF>1', '<tpNF>0');
  const args = { document: 'nfe', rule: 'number_gap' } as const;

  it('run through own notes of entry, whichever direction is asked for', async () => {
    const documents = [sold(1), entered(2), sold(3), sold(5)];
    const outbound = await check(documents, { ...args, direction: 'outbound' });
    expect(outbound.documents).toBe(3);
    expect(outbound.findings).toMatchObject([{ found: '5', expected: '4' }]);
    const inbound = await check(documents, { ...args, direction: 'inbound' });
    expect(inbound).toMatchObject({ documents: 1, findings: [] });
  });

  it('are not missing where their day could not be fetched', async () => {
    const documents = [
      sold(1),
      on('2026-10-12', nfeXml({ number: 4, issuer: company, recipient: customer })),
    ];
    expect((await check(failing(documents, '/Mercadoria/', '2026-10-10'), args)).findings).toEqual([]);
    expect((await check(documents, args)).findings).toMatchObject([{ found: '4', expected: '2' }]);
  });
});

it('the day of entry counts where a question by date of entry has brought it', async () => {
  const key = keyOfNote('2026-10-05', 1);
  const cancelled = noteOf('2026-10-05', 1).replace(
    '</nfeProc>',
    '<retEvento versao="1.00"><infEvento><tpAmb>1</tpAmb><cStat>135</cStat>' +
      `<chNFe>${key}</chNFe><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento>` +
      '<dhRegEvento>2026-10-09T09:00:00-03:00</dhRegEvento><nProt>135260000000002</nProt></infEvento></retEvento></nfeProc>',
  );
  // Entered on the day after its cancellation.
  const service: Responder = (request, response, count) => {
    if (!request.path.includes('PelaEntrada')) return listing([cancelled])(request, response, count);
    const isThatDay = new Map(request.query).get('dataDe') === '10/10/2026';
    json(response, isThatDay ? documentListReply([cancelled]) : emptyReply);
  };
  const args = { document: 'nfe', rule: 'cancelled_after_entry' } as const;
  expect((await check(service, args)).findings).toMatchObject([
    { found: '2026-10-09', expected: '2026-10-05' },
  ]);
  const question = {
    document: 'nfe',
    by: 'entry',
    from: '2026-10-08',
    to: '2026-10-12',
    status: 'cancelled',
  };
  expect((await program.call('query_documents', question)).structured).toMatchObject({ documents: 1 });
  expect((await check(service, args)).findings).toEqual([]);
});

it('says how many documents it leaves out, and why', async () => {
  const tried = noteOf('2026-10-06', 2).replace('<tpAmb>1', '<tpAmb>2');
  const cancelled = noteOf('2026-10-06', 3).replace('<cStat>100', '<cStat>101');
  const answer = await check([noteOf('2026-10-06', 1), tried, cancelled], { document: 'nfe' });
  expect(answer).toMatchObject({ documents: 2, left_out: [{ reason: 'test', count: 1 }] });
  expect(answer.text).toContain('1 from the test environment');
});
