import * as z from 'zod';
import type { DocumentArea } from '../archive/references.ts';
import type { Selection } from '../archive/store/ask/question.ts';
import type { Finding, Rule, Stretch } from '../documents/rules/index.ts';
import { companyOf } from '../mcp/coverage.ts';
import { readTool } from '../mcp/definition.ts';
import { statuses } from '../mcp/filters.ts';
import { cursorAfter, readPlace, refreshSince } from '../mcp/offset-cursor.ts';
import { limit, shared } from '../mcp/parameters.ts';
import { daysFrom } from '../mcp/period.ts';
import type { MessageKey, Translator } from '../messages/index.ts';
import { kindName } from '../messages/kinds.ts';
import {
  type Basis,
  basisOutput,
  basisSentences,
  basisShape,
  ensureFetched,
  fetchDeadline,
} from '../questions/basis.ts';
import { examine } from '../questions/examine.ts';
import { coveredDays, ensureLinkFetched, type Gaps, type Link, openDay } from '../questions/link.ts';
import type { CallContext } from '../services/call-context.ts';
import { BadArguments } from '../services/failures.ts';

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
    key,
    number: document.number,
    issuer: document.issuer,
    found,
    expected,
    message: translator.tell(`rule.${rule}.finding` as MessageKey, words),
  };
}

/** Days that are not there, of which kind of document: an answer rests on both sides of a link. */
const gapsShape = () => ({
  missing: z
    .array(z.object({ document: shared.document(), from: z.string(), to: z.string(), reason: z.string() }))
    .describe('Days that could not be fetched'),
  not_fetched_yet: z.array(z.object({ document: shared.document(), from: z.string(), to: z.string() })),
});

function gapsOf(document: DocumentArea, { missing, pending }: Gaps) {
  return {
    missing: missing.map((range) => ({ document, ...range })),
    not_fetched_yet: pending.map((range) => ({ document, ...range })),
  };
}

/** What is not there of the other side: the sentences of a basis, but for the first, which counts documents. */
function linkSentences(link: Link | undefined, basis: Basis, context: CallContext): string[] {
  if (link === undefined || link.missing.length + link.pending.length === 0) return [];
  const { missing, pending } = link;
  const [, ...gaps] = basisSentences({ ...basis, missing, pending, datedElsewhere: 0 }, 0, [], context);
  const kind = kindName(link.selection.area);
  return [
    ...gaps.map((words) => `${kind}: ${words}`),
    `⚠ ${context.translator.say('analysis.links_incomplete')}`,
  ];
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
      from: shared.firstDay(),
      to: shared.lastDay(),
      direction: shared.direction().optional(),
      rule: z.string().optional().describe('Only this rule'),
      limit: limit(50, 200),
      cursor: shared.cursor(),
      refresh: shared.refresh(),
    }),
  output: () =>
    z.object({
      ...basisShape(),
      ...gapsShape(),
      total: z.int(),
      by_rule: z.array(z.object({ rule: z.string(), title: z.string(), count: z.int() })),
      findings: z.array(findingShape()),
    }),
  async run(args, context) {
    const { translator } = context;
    const { cursor, limit: size, ...query } = args;
    const company = companyOf(args, context);
    const days = daysFrom(args, context);
    const asked = await readPlace(cursor, { ...query, company }, context);
    const { offset } = asked;
    const since = refreshSince(args.refresh, asked, context);
    const { rules: all } = await import('../documents/rules/index.ts');
    const rules = all.filter(({ code }) => args.rule === undefined || code === args.rule);
    if (rules.length === 0) throw new BadArguments([unknownRule(all, translator)]);
    const sources = new Map<string, string>(rules.map(({ code, source }) => [code, source]));
    const selection: Selection = {
      ...days,
      company,
      area: args.document,
      by: 'issue',
      filters: { status: statuses },
      direction: args.direction,
    };
    const fetching = { since, deadline: fetchDeadline() };
    const basis = await ensureFetched(selection, context, fetching);
    const link = await ensureLinkFetched(selection, rules, context, fetching);
    const openFrom = openDay(new Date());
    const covered: Record<DocumentArea, readonly Stretch[]> = {
      nfe: [],
      cte: [],
      nfse: [],
      ...(link && { [link.selection.area]: coveredDays(link.selection, link, openFrom) }),
      [args.document]: coveredDays(selection, basis, openFrom),
    };
    const {
      documents,
      findings: wanted,
      byRule,
    } = await examine({
      archive: basis.archive,
      selection,
      rules,
      linked: link?.selection,
      covered: { days: covered, openFrom },
      signal: context.signal,
    });
    // A list counts what it leaves out; nothing of it is shown.
    const { left_out: leftOut } = await basis.archive.list({ ...selection, limit: 1 });
    const gaps = [gapsOf(args.document, basis), ...(link ? [gapsOf(link.selection.area, link)] : [])];
    const missing = gaps.flatMap((one) => one.missing);
    const pending = gaps.flatMap((one) => one.not_fetched_yet);
    const shown = wanted.slice(offset, offset + size).map((one) => inWords(one, sources, translator));
    const title = (rule: string) => translator.tell(`rule.${rule}.title` as MessageKey, {});
    const counts = [...byRule].sort((one, other) => other[1] - one[1]);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const isPartial = pending.length > 0;
    const place = { offset, shown: shown.length, total: wanted.length, isPartial, since };
    const nextCursor = await cursorAfter(place, { ...query, company });
    return {
      structured: {
        company,
        ...days,
        documents,
        ...basisOutput(basis, leftOut, context),
        complete: missing.length + pending.length + basis.unreadable.length === 0,
        missing,
        not_fetched_yet: pending,
        total,
        by_rule: counts.map(([rule, count]) => ({ rule, title: title(rule), count })),
        findings: shown,
        next_cursor: nextCursor,
      },
      text: [
        `${kindName(args.document)}, ${translator.say('cover.company', { company })}, ${translator.say('cover.period', days)}.`,
        ...basisSentences(basis, documents, leftOut, context),
        ...linkSentences(link, basis, context),
        translator.say('analysis.findings', { total, shown: shown.length }),
        ...counts.map(([rule, count]) => `- ${count}× ${rule}: ${title(rule)} [${sources.get(rule) ?? ''}]`),
        ...shown.map(({ rule, key, number, message }) => `${rule} | ${key ?? number ?? ''} | ${message}`),
        ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
      ].join('\n'),
    };
  },
});
