import type { DocumentArea } from '../archive/references.ts';
import type { Archive } from '../archive/store/index.ts';
import type { PurgeSelection } from '../archive/store/purge.ts';
import type { ArchiveRequest } from '../command-line.ts';
import type { Translator } from '../messages/index.ts';
import type { Services } from '../services.ts';
import { explainFailure, reportUnexpected } from '../tools/failure.ts';

const areas: readonly DocumentArea[] = ['nfe', 'nfse', 'cte'];

async function info(archive: Archive, { say }: Translator): Promise<string[]> {
  const { engine, schema_version: schema, with_xml, held, coverage, ...counts } = await archive.info();
  const { bytes, documents, items, events } = counts;
  return [
    say('archive.info', { engine, schema, bytes, documents, items, events, with_xml }),
    ...held.map(({ company, area, documents: count, first = '', last = '' }) =>
      say('archive.held', { company, area, documents: count, first, last }),
    ),
    ...coverage.map(({ company, area, by, from, to, fetched_last: fetched }) =>
      say('archive.covered', { company, area, by, from, to, fetched }),
    ),
  ];
}

async function verify(archive: Archive, { say }: Translator): Promise<string[]> {
  const { documents, findings } = await archive.verify();
  if (findings.length === 0) return [say('archive.verified', { documents })];
  process.exitCode = 1;
  return [
    say('archive.damaged', { documents, count: findings.length }),
    ...findings.map(({ damage, detail }) => `- ${damage}: ${detail}`),
  ];
}

async function purge(archive: Archive, request: ArchiveRequest, { say }: Translator): Promise<string[]> {
  const area = areas.find((one) => one === request.kind);
  const selection: PurgeSelection = {
    ...(request.company !== undefined && { company: request.company }),
    ...(area !== undefined && { area }),
    ...(request.from !== undefined && { from: request.from }),
    ...(request.until !== undefined && { to: request.until }),
  };
  const removal = request.yes ? await archive.purge(selection) : await archive.previewPurge(selection);
  const { documents, items, events, kept_for_others: kept, companies } = removal;
  return request.yes
    ? [say('archive.purged', { documents, items, events })]
    : [
        say('archive.purge_preview', {
          documents,
          items,
          events,
          kept,
          companies: companies.join(', ') || '–',
        }),
      ];
}

/** Looks after the kept documents. A purge removes nothing without `--yes`. */
export async function runArchive(request: ArchiveRequest, services: Services): Promise<void> {
  const { translator, settings } = services;
  const isBadKind = request.kind !== undefined && !areas.some((one) => one === request.kind);
  if (isBadKind || (request.action === 'export' && request.to === undefined)) {
    console.error(translator.say('archive.usage'));
    process.exitCode = 2;
    return;
  }
  if (settings.archive.reveal() === 'memory') {
    console.error(translator.say('archive.memory'));
    process.exitCode = 2;
    return;
  }
  try {
    const archive = await services.archive();
    const act = {
      info: () => info(archive, translator),
      verify: () => verify(archive, translator),
      purge: () => purge(archive, request, translator),
      export: async () => {
        const { exportArchive } = await import('./archive-export.ts');
        return exportArchive(archive, request.to ?? '.', translator);
      },
    }[request.action];
    process.stdout.write(`${(await act()).join('\n')}\n`);
  } catch (error) {
    console.error(explainFailure(error, translator) ?? reportUnexpected(error, translator));
    process.exitCode = 1;
  } finally {
    await services.close();
  }
}
