import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { CallContext } from '../../company/call-context.ts';
import { oneLine } from '../../documents/untrusted.ts';
import type { Block, Section } from '../../report/model.ts';
import { createReconcileWords } from '../shared/reconcile-words.ts';
import type { Sums } from './questions.ts';
import type { Answers } from './summary.ts';
import type { Pen } from './words.ts';

/** The SHA-256 of a file that was reconciled; undefined where it is no longer there. */
async function digestOf(path: string, { company, signal }: CallContext): Promise<string | undefined> {
  const { findWithin } = await import('../../archive/files/folders.ts');
  const place = findWithin(await company.listFolders(), path);
  if (place === undefined) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(place, { signal })) hash.update(chunk);
  return `sha256 ${hash.digest('hex')}`;
}

/** What a reader must know that the figures do not have. */
export function incompleteSection(
  { period, totals, pending, checks, books }: Answers,
  basisWarnings: readonly string[],
  { isFilesAlone }: { readonly isFilesAlone: boolean },
  pen: Pen,
): Section {
  const { say, translator } = pen;
  const words = createReconcileWords(translator);
  const about = (label: string, texts: readonly string[]) => texts.map((text) => ({ about: label, text }));
  const known = new Set(basisWarnings);
  const others = (warnings: readonly string[]) => warnings.filter((one) => !known.has(one));
  const compared = Object.values(totals).filter((one) => one?.complete);
  const [before] = compared.flatMap((one) => one?.compared_with ?? []);
  const lacksBefore = compared.some((one) => one?.compared_with?.complete === false);
  const items = [
    ...(period.isUnderWay
      ? about(say('incomplete.period'), [say('under_way', { at: translator.day(period.today) })])
      : []),
    ...(isFilesAlone ? about(say('incomplete.period'), [say('files_warning')]) : []),
    ...about(say('incomplete.period'), basisWarnings),
    ...(lacksBefore && before !== undefined
      ? about(say('incomplete.comparison'), [
          say('incomplete.not_compared', { before: translator.period(before) }),
        ])
      : []),
    ...about(say('incomplete.manifestation'), others(pending?.warnings ?? [])),
    ...about(say('incomplete.checks'), others(checks.warnings)),
    ...about(
      say('incomplete.reconciliation'),
      books === undefined
        ? [say('reconciliation.not_done')]
        : [
            ...others(books.warnings),
            ...books.data.not_compared.map(({ reason, count }) => `${count} ${words.left(reason)}`),
          ],
    ),
  ];
  const [first] = items;
  const block: Block =
    first === undefined ? { kind: 'note', text: say('incomplete.none') } : { kind: 'remarks', items };
  return { id: 'incomplete', title: say('section.incomplete'), blocks: [block] };
}

/** What the report rests on, with date and digest. */
export async function sourcesSection(
  { totals, books }: Answers,
  { sentences, made }: { readonly sentences: readonly string[]; readonly made: string },
  pen: Pen,
  context: CallContext,
): Promise<Section> {
  const { say, money, translator } = pen;
  const digests = await Promise.all((books?.data.files ?? []).map(({ file }) => digestOf(file, context)));
  const files = (books?.data.files ?? []).map(({ file, generated_at: at }, place) => {
    const digest = digests[place];
    const generated = at === undefined ? '' : `, ${translator.day(at.slice(0, 10))}`;
    return {
      label: say('sources.file'),
      text: `${oneLine(file)}${generated}`,
      ...(digest !== undefined && { digest }),
    };
  });
  const { purchases, sales } = totals;
  const earlier = purchases?.compared_with;
  const previous = (sums: Sums | undefined) => money(sums?.sums[0]?.previous?.total);
  const compared =
    earlier === undefined || !earlier.complete
      ? []
      : [
          {
            label: say('sources.before'),
            text: say('sources.before_text', {
              days: translator.period(earlier),
              purchases: previous(purchases),
              sales: previous(sales),
            }),
          },
        ];
  return {
    id: 'sources',
    title: say('section.sources'),
    blocks: [
      {
        kind: 'sources',
        items: [
          { label: say('sources.documents'), text: sentences.join(' ') },
          ...files,
          ...compared,
          { label: say('sources.made'), text: made },
        ],
      },
    ],
  };
}
