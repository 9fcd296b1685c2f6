import * as z from 'zod';
import type { DocumentArea } from '../archive/references.ts';
import type { LeftOut, Selection } from '../archive/store/ask/question.ts';
import type { Finding, Rule, Stretch } from '../documents/rules/index.ts';
import { asWord, quoted } from '../documents/untrusted.ts';
import { allTogether } from '../mcp/all-problems.ts';
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
  type Fetching,
  fetchDeadline,
} from '../questions/basis.ts';
import { examine, isAbout } from '../questions/examine.ts';
import { coveredDays, ensureLinkFetched, type Link, openDay } from '../questions/link.ts';
import { type Asked, fetchParts, jointBasis, type Part } from '../questions/several.ts';
import type { CallContext } from '../services/call-context.ts';
import { BadArguments } from '../services/failures.ts';
import { companiesAsked } from '../services/files-basis.ts';

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
    message: translator.quote(`rule.${rule}.finding`, words),
    todo: translator.quote(`rule.${rule}.todo`, words),
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
    [asWord(key ?? number ?? ''), issuer_name && quoted(issuer_name), amount && money(amount)]
      .filter((part) => part)
      .join(', ');
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

/** What was found among the documents of one kind and one company. */
interface Checked {
  readonly basis: Basis;
  readonly link: Link | undefined;
  readonly documents: number;
  readonly findings: readonly Finding[];
  readonly byRule: ReadonlyMap<string, number>;
  readonly leftOut: readonly LeftOut[];
}

/** Runs the rules that are about a kind of document over what was fetched of it. */
async function checkPart(
  { selection: asked, basis }: Part,
  all: readonly Rule[],
  fetching: Fetching,
  context: CallContext,
): Promise<Checked> {
  const selection: Selection = { ...asked, filters: { status: statuses } };
  const { area } = selection;
  const rules = all.filter((rule) => isAbout(area, rule));
  const link = await ensureLinkFetched(selection, rules, context, fetching);
  const openFrom = openDay(new Date());
  const covered: Record<DocumentArea, readonly Stretch[]> = {
    nfe: [],
    cte: [],
    nfse: [],
    // Nothing says that what is not in the files does not exist.
    ...(link &&
      !basis.files?.isAlone && { [link.selection.area]: coveredDays(link.selection, link, openFrom) }),
    [area]: coveredDays(selection, basis, openFrom),
  };
  const examination = await examine({
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
  return { basis, link, leftOut, ...examination };
}

/** Checks every kind of document of every company by itself: what a rule compares is one company's. */
async function checkAll(
  asked: Asked,
  rules: readonly Rule[],
  since: Date | undefined,
  context: CallContext,
): Promise<readonly [Checked, ...Checked[]]> {
  const fetching = { since, deadline: fetchDeadline() };
  const parts: Part[] = [];
  for (const company of asked.companies) {
    parts.push(...(await fetchParts({ ...asked, companies: [company] }, context, fetching)));
  }
  const checked: Checked[] = [];
  for (const part of parts) checked.push(await checkPart(part, rules, fetching, context));
  const [first, ...others] = checked;
  if (first === undefined) throw new TypeError('a check is of one company at least');
  return [first, ...others];
}

/** @throws BadArguments for a rule that there is not */
function rulesNamed(named: readonly string[] | undefined, all: readonly Rule[], translator: Translator) {
  if (named?.some((one) => !all.some(({ code }) => code === one))) {
    throw new BadArguments([unknownRule(all, translator)]);
  }
  return all.filter(({ code }) => named === undefined || named.includes(code));
}

export const checkDocuments = readTool({
  name: 'check_documents',
  group: 'analysis',
  description:
    'Find what is wrong in a period: duplicates, gaps, totals, CFOP, CST, ISS, IBS/CBS, CT-e without NF-e.',
  input: () =>
    z.strictObject({
      document: shared.documents(),
      cnpj: shared.cnpjs(),
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
    const { rules: all } = await import('../documents/rules/index.ts');
    const named = await companiesAsked(args, context);
    const { days, companies, chosen } = allTogether({
      days: () => daysFrom(args, context),
      companies: named,
      chosen: () => rulesNamed(args.rule, all, translator),
    });
    const { cursor, limit: size, from: _from, to: _to, ...rest } = args;
    const query = { ...rest, ...days, companies };
    const place = await readPlace(cursor, query, context);
    const { offset } = place;
    const since = refreshSince(args.refresh, place, context);
    const areas = [...new Set(args.document)];
    const rules = chosen.filter((rule) => areas.some((area) => isAbout(area, rule)));
    const byCode = new Map<string, Rule>(rules.map((rule) => [rule.code, rule]));
    const asked = { companies, areas, ...days, by: 'issue', direction: args.direction } as const;
    const checked = await checkAll(asked, rules, since, context);
    const [first, ...others] = checked;
    const whole = jointBasis([first.basis, ...others.map(({ basis }) => basis)]);
    const basis: Basis = {
      ...whole,
      missing: [...whole.missing, ...checked.flatMap(({ link }) => link?.missing ?? [])],
      pending: [...whole.pending, ...checked.flatMap(({ link }) => link?.pending ?? [])],
    };
    const leftOut = checked.flatMap((one) => one.leftOut);
    const documents = checked.reduce((sum, one) => sum + one.documents, 0);
    const wanted = checked.flatMap(({ findings }) => findings);
    const countOf = (rule: string) => checked.reduce((sum, { byRule }) => sum + (byRule.get(rule) ?? 0), 0);
    const shown = wanted.slice(offset, offset + size).map((one) => inWords(one, byCode, translator));
    const ran = rules.map(({ code, source, verified_on, severity }) => ({
      rule: code,
      title: translator.tell(`rule.${code}.title`, {}),
      count: countOf(code),
      source,
      verified_on,
      severity,
    }));
    ran.sort((one, other) => other.count - one.count);
    const total = ran.reduce((sum, { count }) => sum + count, 0);
    const isPartial = basis.pending.length > 0;
    const page = { offset, shown: shown.length, total: wanted.length, isPartial, since };
    const nextCursor = await cursorAfter(page, query);
    const company = companies.join(', ');
    const kinds = areas.map(kindName).join(', ');
    return {
      structured: {
        company,
        ...days,
        documents,
        ...basisOutput(basis, leftOut, context),
        total,
        by_rule: ran,
        findings: shown,
        next_cursor: nextCursor,
      },
      text: [
        `${kinds}, ${translator.say('cover.company', { company })}, ${translator.say('cover.period', days)}.`,
        ...basisSentences(whole, documents, leftOut, context),
        ...checked.flatMap(({ link, basis: own }) => linkSentences(link, own, context)),
        ...findingLines({ documents, total, ran, shown }, translator),
        ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
      ],
    };
  },
});
