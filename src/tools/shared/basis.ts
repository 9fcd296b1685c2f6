import * as z from 'zod';
import type { Listing, Unreadable } from '../../archive/archive.ts';
import type { LeftOut } from '../../archive/ask/question.ts';
import { groupsOf, type LeftOutGroup, noneLeftOut } from '../../archive/files/left-out.ts';
import type { Direction, DocumentArea, Holding } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { unseenWords } from '../../company/failures.ts';
import { monthOf, type Period } from '../../documents/days.ts';
import type { OtherDocument } from '../../documents/layouts/other-models.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { asWord, quoted } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import { firstOf, sentences, texts } from './definition.ts';
import type { Basis, FilesBasis, Missing } from './fetching.ts';
import { daysToComeSentences } from './period.ts';

export const refreshShape = () => ({
  refreshed: z.boolean().optional().describe('Fetched now, by refresh'),
  changes: z
    .array(
      z.object({
        key: z.string(),
        what: z.enum(['new', 'cancelled', 'corrected', 'manifested']),
        at: z.string().optional(),
      }),
    )
    .optional()
    .describe('Against what was known before'),
  changes_total: z.int().optional(),
});

export const memoryShape = () => ({
  as_of: z.string().optional().describe('Oldest moment its data was fetched at, UTC'),
  ...refreshShape(),
  unreadable: z
    .array(z.object({ place: z.string(), root: z.string().optional(), reason: z.string() }))
    .optional()
    .describe('Documents that could not be read'),
  other_kinds: z
    .array(z.object({ kind: z.string(), ...texts('key', 'issuer', 'date', 'total') }))
    .optional()
    .describe('Of other models, in no sum'),
});

export const basisShape = () => ({
  company: z.string(),
  from: z.string(),
  to: z.string(),
  documents: z.int().describe('How many documents the answer rests on'),
  complete: z.boolean().describe('False: days are missing or not fetched yet'),
  missing: z
    .array(z.object({ document: z.string(), from: z.string(), to: z.string(), reason: z.string() }))
    .optional()
    .describe('Days that could not be fetched'),
  not_fetched_yet: z.array(z.object({ document: z.string(), from: z.string(), to: z.string() })).optional(),
  left_out: z.array(z.object({ reason: z.string(), count: z.int() })).optional(),
  next_cursor: z.string().optional(),
  known_from: z.string().optional().describe('First document known here, after from'),
  source: z.enum(['service', 'files', 'both']).optional().describe('files: completeness unknown'),
  ...memoryShape(),
});

interface Held extends Holding, Partial<Period> {
  readonly name?: string | undefined;
  readonly documents: number;
}

const MOST_CHANGES = 20;
const MOST_UNREADABLE = 50;
const MOST_NAMED = 5;
const MOST_OTHERS_NAMED = 10;
const MOST_RANGES_NAMED = 6;
const MOST_REASONS_NAMED = 3;

/** A list, or undefined if empty. */
export function unlessEmpty<T>(list: readonly T[]): T[] | undefined {
  return list.length > 0 ? [...list] : undefined;
}

/** Unreadable documents, except those of other models. */
export function unknownDocuments(unreadable: readonly Unreadable[]): Unreadable[] {
  return unreadable.filter(({ outline }) => outline === undefined);
}

function otherKinds(unreadable: readonly Unreadable[]): OtherDocument[] {
  return unreadable.flatMap(({ outline }) => outline ?? []);
}

function unreadableInWords({ place, root, family, reason }: Unreadable, { say }: Translator) {
  const words = say(`files.left_out.${reason}`);
  return { place, root, reason: family === undefined ? words : `${words}: ${family}` };
}

/** Documents of other models in the structured answer. */
export function otherKindsOutput(others: readonly OtherDocument[]) {
  return unlessEmpty(others.slice(0, MOST_UNREADABLE).map(({ issuer_name: _, ...one }) => one));
}

/** Documents of other models in words. */
export function otherKindsSentences(others: readonly OtherDocument[], { say }: Translator): string[] {
  if (others.length === 0) return [];
  const names = others.map(({ kind, key, issuer, date, total }) =>
    [kind, key, issuer, date, total].flatMap((one) => (one === undefined ? [] : asWord(one))).join(' '),
  );
  return [say('memory.other_kinds', { count: others.length, named: firstOf(names, MOST_OTHERS_NAMED) })];
}

/** A refresh in the structured answer. */
export function refreshOutput({
  isRefreshed,
  changes,
  changes_total,
}: Pick<Basis, 'isRefreshed' | 'changes' | 'changes_total'>) {
  return {
    refreshed: isRefreshed || undefined,
    changes: unlessEmpty(changes.slice(0, MOST_CHANGES).map((one) => ({ ...one }))),
    changes_total: changes_total || undefined,
  };
}

/** The data's age, a refresh and unreadable documents in the structured answer. */
export function memoryOutput(state: Basis, { translator }: CallContext) {
  const unreadable = unknownDocuments(state.unreadable).slice(0, MOST_UNREADABLE);
  return {
    as_of: state.as_of,
    ...refreshOutput(state),
    unreadable: unlessEmpty(unreadable.map((one) => unreadableInWords(one, translator))),
    other_kinds: otherKindsOutput(otherKinds(state.unreadable)),
  };
}

/** Changes since the last fetch, in words. */
export function refreshSentences(
  { changes, changes_total: count }: Pick<Basis, 'changes' | 'changes_total'>,
  { say }: Translator,
) {
  if (count === 0) return [];
  const words = changes.map(({ key, what }) => `${asWord(key)} ${say(`memory.change.${what}`)}`);
  return [say('memory.changes', { count, changes: firstOf(words, MOST_NAMED, '; ', count) })];
}

/** Data younger than this was fetched for the answer. */
const JUST_FETCHED_MS = 60_000;

const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

/** How long data counts as fresh, unless it was just fetched. */
function graceSentence(as_of: string, { company, isDue, translator: { say } }: CallContext) {
  if (company.now() - Date.parse(as_of) < JUST_FETCHED_MS || !isDue('memory.grace')) return undefined;
  const graces = company.settings.archiveRefresh.map(({ days, olderThanMs }) => {
    const [unit, length] = UNITS.find(([, one]) => olderThanMs % one === 0) ?? ['minutes', 60_000];
    const time = say(`memory.${unit}`, { count: Math.round(olderThanMs / length) });
    return say('memory.grace_of_days', { days, time });
  });
  return say('memory.grace', { days: graces.join('; ') });
}

function memorySentences(state: Basis, context: CallContext): string[] {
  const { translator } = context;
  const { say, moment } = translator;
  // `filesSentences` says when the files were read.
  const as_of = state.files?.isAlone ? undefined : state.as_of;
  const unreadable = unknownDocuments(state.unreadable);
  const named = unreadable.map((one) => {
    const { place, root, reason } = unreadableInWords(one, translator);
    return `${asWord(place)}${root === undefined ? '' : ` <${asWord(root)}>`}: ${reason}`;
  });
  const count = unreadable.length;
  return sentences(
    as_of !== undefined && [say('memory.as_of', { at: moment(as_of) }), graceSentence(as_of, context)],
    refreshSentences(state, translator),
    count > 0 && `⚠ ${say('memory.unreadable', { count, named: firstOf(named, MOST_NAMED) })}`,
    otherKindsSentences(otherKinds(state.unreadable), translator),
  );
}

/** Files, or parts of them, without a document for one reason, as a line. */
export function leftOutLine({ reason, count, named }: LeftOutGroup, { say }: Translator): string {
  const names = firstOf(named.map(asWord), MOST_NAMED, ', ', count);
  return say('files.odd', { count, reason: say(`files.left_out.${reason}`), names });
}

/** How many documents of a company and kind there are, as a line. */
export function holdingLine(
  { company, name, area, documents, from = '?', to = '?' }: Held,
  { say, period }: Translator,
): string {
  const owner = name === undefined ? company : `${company} ${quoted(name)}`;
  const held = { company: owner, kind: kindName(area), documents, period: period({ from, to }) };
  return say('doctor.files_hold', held);
}

/** Describes the files' part of a basis. Links and folders too deep: once a conversation, and if nothing was found. */
export function filesSentences(
  files: FilesBasis | undefined,
  company: string | undefined,
  documents: number,
  { isDue, translator }: CallContext,
): string[] {
  if (files === undefined) return [];
  const { state, isAlone, isChosen } = files;
  const { say } = translator;
  const at = translator.moment(state.looked_at ?? new Date().toISOString());
  const passedOver = groupsOf(state.result?.odd ?? noneLeftOut);
  const isShown = passedOver.length > 0 && (isDue('files passed over') || documents === 0);
  return sentences(
    isAlone ? say('files.alone', { at, documents }) : say('files.beside', { at }),
    isChosen && company !== undefined && say('files.chosen', { company }),
    state.isReading && `⚠ ${say('files.reading', { read: state.progress.read })}`,
    state.result?.unseen.map((one) => `⚠ ${unseenWords(one, translator)}.`),
    isShown && passedOver.map((group) => `⚠ ${leftOutLine(group, translator)}`),
  );
}

/** First known day, if the period begins earlier. */
export function knownFrom({ from, firstDay }: Pick<Basis, 'from' | 'firstDay'>): string | undefined {
  return firstDay !== undefined && from < firstDay ? firstDay : undefined;
}

/** Skipped within the first document's month; said once a conversation, and whenever nothing was found. */
export function knownFromSentences(
  state: Pick<Basis, 'company' | 'from' | 'firstDay'>,
  documents: number,
  { isDue, translator: { say, day } }: CallContext,
): string[] {
  const first = knownFrom(state);
  if (first === undefined || monthOf(state.from) >= monthOf(first)) return [];
  const isNew = isDue(`known_from ${state.company} ${first}`);
  return isNew || documents === 0 ? [say('analysis.known_from', { day: day(first) })] : [];
}

/** Merges counts by reason. */
export function added(leftOut: readonly LeftOut[]): LeftOut[] {
  const counts = new Map<LeftOut['reason'], number>();
  for (const { reason, count } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + count);
  return [...counts].filter(([, count]) => count > 0).map(([reason, count]) => ({ reason, count }));
}

/** Describes left-out documents by reason. */
export function leftOutSentences(leftOut: readonly LeftOut[], { translator: { say } }: CallContext) {
  const words = added(leftOut).map(({ reason, count }) => say(`left_out.${reason}`, { count }));
  return words.length === 0 ? [] : [say('analysis.left_out', { words: words.join(', ') })];
}

function nameRanges(ranges: Basis['pending'], withKind: boolean, { day, period }: Translator): string {
  const named = ranges.map(({ document, from, to }) => {
    const days = from === to ? day(from) : period({ from, to });
    return withKind ? `${kindName(document)} ${days}` : days;
  });
  return firstOf(named, MOST_RANGES_NAMED);
}

/** Sentences on days that could not be fetched. */
export function missingSentences(missing: readonly Missing[], withKind: boolean, translator: Translator) {
  if (missing.length === 0) return [];
  const days = nameRanges(missing, withKind, translator);
  const reasons = [...new Set(missing.map((one) => one.reason))];
  const reason = firstOf(reasons, MOST_REASONS_NAMED);
  return [`⚠ ${translator.say('analysis.missing', { days, reason })}`];
}

/** Sentences on days that could not be fetched, and on those still to be fetched. */
export function gapSentences(
  { missing, pending, files }: Pick<Basis, 'missing' | 'pending' | 'files'>,
  translator: Translator,
): string[] {
  const isOfSeveral = new Set([...missing, ...pending].map(({ document }) => document)).size > 1;
  const days = nameRanges(pending, isOfSeveral, translator);
  return sentences(
    missingSentences(missing, isOfSeveral, translator),
    // While files are being read, `filesSentences` says so.
    days !== '' && !files?.state.isReading && `⚠ ${translator.say('analysis.partial', { days })}`,
  );
}

/** Whether every day was fetched and read; unknown with files alone. */
export function isComplete({ missing, pending, unreadable, files }: Basis): boolean {
  return missing.length + pending.length + unknownDocuments(unreadable).length === 0 && !files?.isAlone;
}

/** The basis in the structured answer. */
export function basisOutput(basis: Basis, leftOut: readonly LeftOut[], context: CallContext) {
  const { missing, pending, files } = basis;
  return {
    ...memoryOutput(basis, context),
    ...(files !== undefined && { source: files.isAlone ? ('files' as const) : ('both' as const) }),
    complete: isComplete(basis),
    known_from: knownFrom(basis),
    missing: unlessEmpty(missing),
    not_fetched_yet: unlessEmpty(pending),
    left_out: unlessEmpty(added(leftOut)),
  };
}

/** First line of an answer: kinds, company and period. */
export function subjectLine(
  areas: readonly DocumentArea[],
  company: string,
  { direction, ...days }: { from: string; to: string; direction?: Direction | undefined },
  { say, period }: Translator,
): string {
  const kinds = areas.map(kindName).join(', ');
  const only = direction === undefined ? '' : `, ${say(`cover.${direction}`)}`;
  return `${kinds}, ${say('cover.company', { company })}, ${period(days)}${only}.`;
}

/** Source, age and gaps of the data. */
export function stateSentences(
  state: Basis,
  documents: number,
  leftOut: readonly LeftOut[],
  context: CallContext,
): string[] {
  const { datedElsewhere: count, files, company } = state;
  const { translator } = context;
  return sentences(
    filesSentences(files, company, documents, context),
    memorySentences(state, context),
    knownFromSentences(state, documents, context),
    daysToComeSentences(state, context),
    leftOutSentences(leftOut, context),
    count > 0 && `⚠ ${translator.say('analysis.dated_elsewhere', { count })}`,
    gapSentences(state, translator),
  );
}

/** Sentences on the basis that precede any sum. */
export function basisSentences(
  basis: Basis,
  documents: number,
  leftOut: readonly LeftOut[],
  context: CallContext,
): string[] {
  return sentences(
    !basis.files?.isAlone && context.translator.say('analysis.rests_on', { documents }),
    stateSentences(basis, documents, leftOut, context),
  );
}

/** Count and total of a kind's valid documents. */
export function listTotal(
  area: DocumentArea,
  { total: count, sum }: Pick<Listing, 'total' | 'sum'>,
  translator: Translator,
): string {
  const total = sum === undefined ? '–' : translator.money(sum);
  return translator.say('analysis.list_total', { kind: kindName(area), count, total });
}
