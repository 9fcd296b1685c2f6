import * as z from 'zod';
import type { DocumentArea } from '../../archive/references.ts';
import type { Archive } from '../../archive/store/index.ts';
import type { Selection } from '../../archive/store/question.ts';
import { Cancelled, UpstreamError } from '../../clients/errors.ts';
import type { Finding, Rule } from '../../documents/rules/index.ts';
import type { MessageKey, Translator } from '../../messages/index.ts';
import { kindName } from '../../messages/kinds.ts';
import { BadArguments } from '../arguments.ts';
import { companyOf } from '../coverage.ts';
import { readTool, type ToolContext } from '../definition.ts';
import { explainFailure } from '../failure.ts';
import { limit, shared } from '../parameters.ts';
import { type Basis, basisOutput, basisSentences, basisShape, fetchDeadline, layBasis } from './basis.ts';
import { statuses } from './filters.ts';
import { cursorAfter, readOffset } from './offset-cursor.ts';
import { daysFrom } from './period.ts';

const findingShape = () =>
  z.object({
    rule: z.string(),
    source: z.string().describe('Where the rule is from'),
    key: z.string().optional(),
    number: z.string().optional(),
    issuer: z.string().optional(),
    found: z.string(),
    expected: z.string(),
    message: z.string(),
  });

type FindingOutput = z.input<ReturnType<typeof findingShape>>;

/** Findings that are kept to be shown; all are counted. */
const MOST_FINDINGS_KEPT = 5_000;

/** Freight is billed within about a month of the goods it carries. */
const FREIGHT_DAYS = 31;

interface Examination {
  readonly documents: number;
  readonly findings: readonly Finding[];
  readonly byRule: ReadonlyMap<string, number>;
}

const kindsOf: Readonly<Record<DocumentArea, readonly string[]>> = {
  nfe: ['nfe', 'nfce', 'summary'],
  cte: ['cte', 'cteos'],
  nfse: ['nfse'],
};

/** The other side of the link between goods and freight, over the days in which it may lie. */
function counterpart(selection: Selection): Selection | undefined {
  if (selection.area === 'nfse') return undefined;
  const shift = (day: string, days: number) =>
    new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
  const { direction: _, ...both } = selection;
  return selection.area === 'nfe'
    ? { ...both, area: 'cte', to: shift(selection.to, FREIGHT_DAYS) }
    : { ...both, area: 'nfe', from: shift(selection.from, -FREIGHT_DAYS) };
}

/** Runs the rules over the documents, their events, and what they are linked with; only findings of theirs count. */
async function examine(
  archive: Archive,
  selection: Selection,
  rules: readonly Rule[],
  context: ToolContext,
): Promise<Examination> {
  const { createChecker } = await import('../../documents/rules/index.ts');
  const { company, direction, area } = selection;
  const checker = createChecker({ company, ...(direction && { direction }) }, rules);
  const findings: Finding[] = [];
  const byRule = new Map<string, number>();
  const note = (finding: Finding) => {
    if (!kindsOf[area].includes(finding.document.kind)) return;
    byRule.set(finding.rule, (byRule.get(finding.rule) ?? 0) + 1);
    if (findings.length < MOST_FINDINGS_KEPT) findings.push(finding);
  };
  let documents = 0;
  for await (const { summary, status } of archive.read(selection)) {
    context.signal.throwIfAborted();
    documents += 1;
    for (const finding of checker.take({ ...summary, status })) note(finding);
    const events = summary.key === undefined ? [] : await archive.events(summary.key);
    for (const event of events) checker.take(event);
  }
  const other = counterpart(selection);
  if (other !== undefined) {
    for await (const { summary, status } of archive.read(other)) checker.take({ ...summary, status });
  }
  for (const finding of checker.finish()) note(finding);
  return { documents, findings, byRule };
}

function unknownRule(rules: readonly Rule[], { say }: Translator): string {
  return say('argument.not_among', { argument: 'rule', choices: rules.map(({ code }) => code).join(', ') });
}

function inWords(
  finding: Finding,
  sources: ReadonlyMap<string, string>,
  translator: Translator,
): FindingOutput {
  const { rule, key, document, found, expected, values } = finding;
  const words = { found, expected, ...values };
  return {
    rule,
    source: sources.get(rule) ?? '',
    ...(key !== undefined && { key }),
    ...(document.number !== undefined && { number: document.number }),
    ...(document.issuer !== undefined && { issuer: document.issuer }),
    found,
    expected,
    message: translator.tell(`rule.${rule}.finding` as MessageKey, words),
  };
}

/** Rules about the link between goods and freight: only they rest on documents of the other kind, too. */
const linkRules: readonly string[] = ['cte_without_nfe', 'nfe_without_cte'];

type Gaps = Pick<Basis, 'missing' | 'pending'>;

const noGaps: Gaps = { missing: [], pending: [] };

/** The gaps of both sides, each said once. */
function together<T>(own: readonly T[], others: readonly T[]): T[] {
  const known = new Set(own.map((one) => JSON.stringify(one)));
  return [...own, ...others.filter((one) => !known.has(JSON.stringify(one)))];
}

/** Fetches the other side of the link. That it cannot be had makes an answer incomplete and does not prevent it. */
async function layLink(
  selection: Selection,
  rules: readonly Rule[],
  context: ToolContext,
  deadline: number,
): Promise<Gaps> {
  const other = counterpart(selection);
  if (other === undefined || !rules.some(({ code }) => linkRules.includes(code))) return noGaps;
  try {
    return await layBasis(other, context, deadline);
  } catch (error) {
    if (!(error instanceof UpstreamError) || error instanceof Cancelled) throw error;
    const reason = explainFailure(error, context.translator) ?? error.name;
    return { missing: [{ from: other.from, to: other.to, reason }], pending: [] };
  }
}

export const checkDocuments = readTool({
  name: 'check_documents',
  group: 'analysis',
  description:
    'Find what is wrong in a period: duplicates, gaps, totals, CFOP, CST, ISS, IBS/CBS, CT-e without NF-e.',
  input: () =>
    z.strictObject({
      document: shared.document(),
      cnpj: shared.cnpj(),
      from: shared.date(),
      to: shared.date(),
      direction: shared.direction().optional(),
      rule: z.string().optional().describe('Only this rule'),
      limit: limit(50, 200),
      cursor: shared.cursor(),
    }),
  output: () =>
    z.object({
      ...basisShape(),
      total: z.int(),
      by_rule: z.array(z.object({ rule: z.string(), title: z.string(), count: z.int() })),
      findings: z.array(findingShape()),
    }),
  async run(args, context) {
    const { translator } = context;
    const { cursor, limit: size, ...query } = args;
    const company = companyOf(args, context);
    const days = daysFrom(args, context);
    const offset = await readOffset(cursor, { ...query, company }, context);
    const { rules: all } = await import('../../documents/rules/index.ts');
    const rules = all.filter(({ code }) => args.rule === undefined || code === args.rule);
    if (rules.length === 0) throw new BadArguments([unknownRule(all, translator)]);
    const sources = new Map<string, string>(rules.map(({ code, source }) => [code, source]));
    const selection: Selection = {
      ...days,
      company,
      area: args.document,
      by: 'issue',
      filters: { status: statuses },
      ...(args.direction && { direction: args.direction }),
    };
    const deadline = fetchDeadline();
    const basis = await layBasis(selection, context, deadline);
    const link = await layLink(selection, rules, context, deadline);
    const ground = {
      ...basis,
      missing: together(basis.missing, link.missing),
      pending: together(basis.pending, link.pending),
    };
    const { documents, findings: wanted, byRule } = await examine(basis.archive, selection, rules, context);
    const shown = wanted.slice(offset, offset + size).map((one) => inWords(one, sources, translator));
    const title = (rule: string) => translator.tell(`rule.${rule}.title` as MessageKey, {});
    const counts = [...byRule].sort((one, other) => other[1] - one[1]);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const isPartial = ground.pending.length > 0;
    const place = { offset, shown: shown.length, total: wanted.length, isPartial };
    const nextCursor = await cursorAfter(place, { ...query, company });
    return {
      structured: {
        company,
        ...days,
        documents,
        ...basisOutput(ground, []),
        total,
        by_rule: counts.map(([rule, count]) => ({ rule, title: title(rule), count })),
        findings: shown,
        ...(nextCursor !== undefined && { next_cursor: nextCursor }),
      },
      text: [
        `${kindName(args.document)}, ${translator.say('cover.company', { company })}, ${translator.say('cover.period', days)}.`,
        ...basisSentences(ground, documents, [], context),
        ...(link.missing.length + link.pending.length === 0
          ? []
          : [`⚠ ${translator.say('analysis.links_incomplete')}`]),
        translator.say('analysis.findings', { total, shown: shown.length }),
        ...counts.map(([rule, count]) => `- ${count}× ${rule}: ${title(rule)} [${sources.get(rule) ?? ''}]`),
        ...shown.map(({ rule, key, number, message }) => `${rule} | ${key ?? number ?? ''} | ${message}`),
        ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
      ].join('\n'),
    };
  },
});
