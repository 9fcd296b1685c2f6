import * as z from 'zod';
import type { DocumentArea } from '../archive/references.ts';
import type { Selection } from '../archive/store/ask/question.ts';
import type { Finding, Rule, Stretch } from '../documents/rules/index.ts';
import { readTool } from '../mcp/definition.ts';
import { statuses } from '../mcp/filters.ts';
import { cursorAfter, readPlace, refreshSince } from '../mcp/offset-cursor.ts';
import { limit, shared } from '../mcp/parameters.ts';
import { daysFrom } from '../mcp/period.ts';
import type { Translator } from '../messages/index.ts';
import { kindName } from '../messages/kinds.ts';
import {
  type Basis,
  basisOutput,
  basisSentences,
  basisShape,
  ensureFetched,
  fetchDeadline,
} from '../questions/basis.ts';
import { examine, isAbout } from '../questions/examine.ts';
import { coveredDays, ensureLinkFetched, type Link, openDay } from '../questions/link.ts';
import type { CallContext } from '../services/call-context.ts';
import { BadArguments } from '../services/failures.ts';
import { companyAsked } from '../services/files-basis.ts';

const severity = () => z.enum(['error', 'warning', 'info']);

const ruleShape = () =>
  z.object({
    rule: z.string(),
    title: z.string(),
    count: z.int(),
    source: z.string().describe('Where the rule is from'),
    verified_on: z.string().describe('When that was last looked up'),
    severity: severity(),
  });

const findingShape = () =>
  z.object({
    rule: z.string(),
    severity: severity(),
    source: z.string(),
    key: z.string().optional(),
    number: z.string().optional(),
    issuer: z.string().optional(),
    issuer_name: z.string().optional(),
    amount: z.string().optional().describe('Total of the document'),
    found: z.string(),
    expected: z.string(),
    message: z.string(),
    todo: z.string(),
  });

type FindingOutput = z.input<ReturnType<typeof findingShape>>;

function unknownRule(rules: readonly Rule[], { say }: Translator): string {
  return say('argument.not_among', { argument: 'rule', choices: rules.map(({ code }) => code).join(', ') });
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const AMOUNT = /^-?\d+\.\d{2}$/;

/** A value of a finding as a person writes it: days and amounts; codes and all else as they are. */
function written(value: string, { day, money }: Translator): string {
  if (DAY.test(value)) return day(value);
  return AMOUNT.test(value) ? money(value) : value;
}

function inWords(finding: Finding, rules: ReadonlyMap<string, Rule>, translator: Translator): FindingOutput {
  const { rule, key, document, found, expected, values } = finding;
  const words = Object.fromEntries(
    Object.entries({ found, expected, ...values }).map(([name, value]) => [name, written(value, translator)]),
  );
  const { severity, source } = rules.get(rule) ?? {};
  return {
    rule,
    severity: severity ?? 'warning',
    source: source ?? '',
    key,
    number: document.number,
    issuer: document.issuer,
    issuer_name: document.issuer_name,
    amount: document.amount,
    found,
    expected,
    message: translator.tell(`rule.${rule}.finding`, words),
    todo: translator.tell(`rule.${rule}.todo`, words),
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

interface Found {
  readonly documents: number;
  readonly total: number;
  readonly ran: readonly z.input<ReturnType<typeof ruleShape>>[];
  readonly shown: readonly FindingOutput[];
}

/** The answer for a person: how much was looked at for what, then the findings, each rule told once. */
function findingLines({ documents, total, ran, shown }: Found, { say, tell, money }: Translator): string[] {
  const clean = ran.filter(({ count }) => count === 0).length;
  const titleOf = new Map(ran.map(({ rule, title }) => [rule, title]));
  const about = ({ key, number, issuer_name, amount }: FindingOutput) =>
    [key ?? number, issuer_name, amount && money(amount)].filter((part) => part !== undefined).join(', ');
  return [
    say('analysis.findings', { total, shown: shown.length, documents, rules: ran.length }),
    ...ran
      .filter(({ count }) => count > 0)
      .map(
        ({ count, severity, rule, title, source }) =>
          `- ${count}× ${rule} (${tell(`severity.${severity}`, {})}): ${title} [${source}]`,
      ),
    ...(clean > 0 ? [say('analysis.clean_rules', { count: clean })] : []),
    ...shown.map(
      (one) => `${titleOf.get(one.rule) ?? one.rule} | ${about(one)} | ${one.message}. ${one.todo}`,
    ),
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
      rule: z.array(z.string()).min(1).optional().describe('Only these rules'),
      limit: limit(50, 200),
      cursor: shared.cursor(),
      refresh: shared.refresh(),
    }),
  output: () =>
    z.object({
      ...basisShape(),
      total: z.int(),
      by_rule: z.array(ruleShape()).describe('Every rule that ran, also those that found nothing'),
      findings: z.array(findingShape()),
    }),
  async run(args, context) {
    const { translator } = context;
    const { cursor, limit: size, ...query } = args;
    const company = await companyAsked(args, context);
    const days = daysFrom(args, context);
    const asked = await readPlace(cursor, { ...query, company }, context);
    const { offset } = asked;
    const since = refreshSince(args.refresh, asked, context);
    const { rules: all } = await import('../documents/rules/index.ts');
    if (args.rule?.some((one) => !all.some(({ code }) => code === one))) {
      throw new BadArguments([unknownRule(all, translator)]);
    }
    const rules = all.filter(
      (rule) => isAbout(args.document, rule) && (args.rule === undefined || args.rule.includes(rule.code)),
    );
    const byCode = new Map<string, Rule>(rules.map((rule) => [rule.code, rule]));
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
      // Nothing says that what is not in the files does not exist.
      ...(link &&
        !basis.files?.isAlone && { [link.selection.area]: coveredDays(link.selection, link, openFrom) }),
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
      now: new Date(context.services.now()),
      timeZone: context.services.settings.timeZone,
      signal: context.signal,
    });
    // A list counts what it leaves out; nothing of it is shown.
    const { left_out: leftOut } = await basis.archive.list({ ...selection, limit: 1 });
    const missing = [...basis.missing, ...(link?.missing ?? [])];
    const pending = [...basis.pending, ...(link?.pending ?? [])];
    const shown = wanted.slice(offset, offset + size).map((one) => inWords(one, byCode, translator));
    const ran = rules.map(({ code, source, verified_on, severity }) => ({
      rule: code,
      title: translator.tell(`rule.${code}.title`, {}),
      count: byRule.get(code) ?? 0,
      source,
      verified_on,
      severity,
    }));
    ran.sort((one, other) => other.count - one.count);
    const total = ran.reduce((sum, { count }) => sum + count, 0);
    const isPartial = pending.length > 0;
    const place = { offset, shown: shown.length, total: wanted.length, isPartial, since };
    const nextCursor = await cursorAfter(place, { ...query, company });
    return {
      structured: {
        company,
        ...days,
        documents,
        ...basisOutput({ ...basis, missing, pending }, leftOut, context),
        total,
        by_rule: ran,
        findings: shown,
        next_cursor: nextCursor,
      },
      text: [
        `${kindName(args.document)}, ${translator.say('cover.company', { company })}, ${translator.say('cover.period', days)}.`,
        ...basisSentences(basis, documents, leftOut, context),
        ...linkSentences(link, basis, context),
        ...findingLines({ documents, total, ran, shown }, translator),
        ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
      ].join('\n'),
    };
  },
});
