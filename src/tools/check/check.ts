import * as z from 'zod';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import type { Finding, Rule } from '../../documents/rules/index.ts';
import { severities } from '../../documents/rules/rule.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { asWord, quoted } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import {
  added,
  basisOutput,
  basisSentences,
  basisShape,
  gapSentences,
  subjectLine,
} from '../shared/basis.ts';
import { readTool, sentences, texts } from '../shared/definition.ts';
import { jointBasis } from '../shared/fetching.ts';
import { cursorAfter } from '../shared/paging.ts';
import { limit, shared } from '../shared/parameters.ts';
import { openQuestion } from '../shared/question.ts';
import { type Check, type CheckedPart, checkUntilDeadline } from './examine.ts';

const outputShape = () =>
  z.object({
    ...basisShape(),
    total: z.int(),
    signatures: z
      .object({
        judged: z.int(),
        without_text: z.int().describe('Of those not judged: XML could not be had'),
        not_judged: z.array(z.object({ reason: z.string(), count: z.int() })),
      })
      .optional(),
    by_rule: z
      .array(
        z.object({
          rule: z.string(),
          count: z.int(),
          applied_to: z.int().describe('Documents it could have found something in'),
          title: z.string().optional(),
          source: z.string().optional().describe('Where the rule is from'),
          verified_on: z.string().optional().describe('When that was last looked up'),
          severity: z.enum(severities).optional(),
        }),
      )
      .describe('Rules that applied to a document, also those that found nothing'),
    not_applied: z.array(z.string()).describe('Rules that applied to none: they checked nothing'),
    findings: z.array(
      z.object({
        rule: z.string(),
        severity: z.enum(severities),
        source: z.string(),
        ...texts('key', 'number', 'issuer', 'issuer_name'),
        amount: z.string().optional().describe('Total of the document'),
        found: z.string(),
        expected: z.string(),
        message: z.string(),
        todo: z.string(),
      }),
    ),
  });

export type CheckOutput = z.input<ReturnType<typeof outputShape>>;
export type FindingOutput = CheckOutput['findings'][number];
type RuleOutput = CheckOutput['by_rule'][number];

function inWords(finding: Finding, { textOf }: Translator): FindingOutput {
  const { rule, key, number, issuer, issuer_name, total, found, expected, values } = finding;
  const said = { found, expected, ...values };
  return {
    ...{ rule: rule.code, severity: rule.severity, source: rule.source },
    ...{ key, number, issuer, issuer_name, amount: total, found, expected },
    message: textOf(rule.finding, said),
    todo: textOf(rule.todo, said),
  };
}

const sumOf = (all: readonly { readonly count: number }[]) => all.reduce((sum, { count }) => sum + count, 0);

function linkSentences({ link }: CheckedPart, { translator }: CallContext): string[] {
  if (link === undefined) return [];
  const gaps = gapSentences(link, translator);
  if (gaps.length === 0) return [];
  const kind = kindName(link.selection.area);
  return [...gaps.map((words) => `${kind}: ${words}`), `⚠ ${translator.say('analysis.links_incomplete')}`];
}

/** Rules without findings, by number of documents they applied to, descending. */
function cleanRules(applied: readonly RuleOutput[]): string[] {
  const rulesOf = new Map<number, string[]>();
  for (const { rule, count, applied_to: documents } of applied)
    if (count === 0) rulesOf.set(documents, [...(rulesOf.get(documents) ?? []), rule]);
  return [...rulesOf]
    .sort(([one], [other]) => other - one)
    .map(([documents, rules]) => `${documents}: ${rules.join(', ')}`);
}

/** The text: documents and rules checked, then the findings, each rule explained once. */
function findingLines(
  { documents, total, by_rule: applied, not_applied: notApplied, findings: shown }: CheckOutput,
  { say, tell, money }: Translator,
): string[] {
  const clean = cleanRules(applied);
  const titleOf = new Map(applied.map(({ rule, title }) => [rule, title]));
  const about = ({ key, number, issuer, issuer_name, amount }: FindingOutput) =>
    sentences(
      number && asWord(number),
      issuer_name ? quoted(issuer_name) : issuer,
      amount && money(amount),
      key && asWord(key),
    )
      .filter((part) => part !== '')
      .join(', ');
  return sentences(
    say('analysis.findings', { total, shown: shown.length, documents, rules: applied.length }),
    applied.map(({ count, applied_to, severity: grade, rule, title, source }) => {
      if (grade === undefined) return undefined;
      const said = say('analysis.rule_found', { count, rule, applied_to });
      return `- ${said} (${tell(`severity.${grade}`, {})}): ${title} [${source}]`;
    }),
    clean.length > 0 && `${say('analysis.clean_rules')}: ${clean.join('; ')}`,
    notApplied.length > 0 &&
      `${say('analysis.rules_not_applied', { count: notApplied.length })}: ${notApplied.join(', ')}`,
    shown.map((one) => `${titleOf.get(one.rule) ?? one.rule} | ${about(one)} | ${one.message}. ${one.todo}`),
  );
}

/** Rules that applied, with their findings, most findings first. */
function rulesApplied({ byRule }: Check, { textOf }: Translator): RuleOutput[] {
  return [...byRule]
    .map(([{ code, title, source, verified_on, severity }, { count, applied_to }]) => {
      const about = count > 0 && { title: textOf(title, {}), source, verified_on, severity };
      return { rule: code, count, applied_to, ...about };
    })
    .filter(({ applied_to }) => applied_to > 0)
    .sort((one, other) => other.count - one.count);
}

/** @throws BadArguments for a rule that does not exist */
function rulesNamed(named: readonly string[] | undefined, all: readonly Rule[], { say }: Translator) {
  if (named?.some((one) => !all.some(({ code }) => code === one))) {
    const choices = all.map(({ code }) => code).join(', ');
    throw new BadArguments([say('argument.not_among', { argument: 'rule', choices })]);
  }
  return all.filter(({ code, needs }) => (named === undefined ? needs !== 'text' : named.includes(code)));
}

export const checkDocuments = readTool({
  name: 'check_documents',
  group: 'analysis',
  description:
    'Find what is wrong in a period: duplicates, gaps, totals, CFOP, CST, ISS, IBS/CBS, deadlines, CT-e without NF-e.',
  input: () =>
    z.strictObject({
      document: shared.documents(),
      cnpj: shared.holders(),
      from: shared.firstDay(),
      to: shared.lastDay(),
      direction: shared.direction().optional(),
      rule: z
        .array(z.string())
        .min(1)
        .optional()
        .describe('Only these rules; text_against_signature runs only so'),
      limit: limit(50, 200),
      cursor: shared.cursor(),
      refresh: shared.refresh(),
    }),
  output: outputShape,
  async run(args, context) {
    const { translator } = context;
    const { say } = translator;
    const { rules: all } = await import('../../documents/rules/index.ts');
    const checks = { rules: () => rulesNamed(args.rule, all, translator) };
    const asked = await openQuestion(args, checks, context);
    const { days, companies, company, areas, query, since, place } = asked;
    const { rules } = asked.checked;
    const { offset } = place;
    const question = JSON.stringify([query, since]);
    const check = await checkUntilDeadline(
      { companies, areas, ...days, by: 'issue', direction: args.direction, rules },
      { question, isContinued: args.cursor !== undefined },
      context,
      { since },
    );
    const { parts, documents, findings: found, signatures: tally, isKnown } = check;
    const { isDone } = check.steps;
    // Changes are reported on the first page only.
    const ownBasis = { ...jointBasis(parts), ...(isKnown && { changes: [], changes_total: 0 }) };
    const links = parts.flatMap(({ link }) => link ?? []);
    const basis = {
      ...ownBasis,
      missing: [...ownBasis.missing, ...links.flatMap(({ missing }) => missing)],
      pending: [...ownBasis.pending, ...links.flatMap(({ pending }) => pending)],
    };
    const leftOut = added(parts.flatMap((part) => part.leftOut));
    const notJudged = [...tally.notJudged].map(([reason, count]) => ({ reason, count }));
    const { judged, without_text } = tally;
    const signatures = rules.some(({ needs }) => needs === 'text')
      ? { judged, without_text, not_judged: notJudged }
      : undefined;
    const shown = found.slice(offset, offset + args.limit).map((one) => inWords(one, translator));
    for (const { key } of shown) context.company.memory.seen.noteKey(key);
    const applied = rulesApplied(check, translator);
    const total = sumOf(applied);
    const askable = (args.rule === undefined ? all : rules).map(({ code }) => code);
    // Rules across documents apply only once all documents are read.
    const notApplied = isDone ? askable.filter((code) => !applied.some(({ rule }) => rule === code)) : [];
    const isPartial = basis.pending.length > 0 || !isDone;
    const page = { place, shown: shown.length, total: found.length, isPartial, since };
    const nextCursor = await cursorAfter(page, query);
    const basisStructured = basisOutput(basis, leftOut, context);
    const structured: CheckOutput = {
      company,
      ...days,
      documents,
      ...basisStructured,
      complete: basisStructured.complete && isDone && without_text === 0,
      signatures,
      total,
      by_rule: applied,
      not_applied: notApplied,
      findings: shown,
      next_cursor: nextCursor,
    };
    return {
      structured,
      text: sentences(
        subjectLine(areas, company, { ...days, direction: args.direction }, translator),
        basisSentences(ownBasis, documents, leftOut, context),
        parts.flatMap((part) => linkSentences(part, context)),
        !isDone && `⚠ ${say('analysis.examined_so_far', { documents })}`,
        signatures && `${say('analysis.signatures', { judged, others: sumOf(notJudged) })}.`,
        notJudged.map((one) => `⚠ ${say('analysis.not_judged', one)}`),
        findingLines(structured, translator),
        total > found.length && say('analysis.findings_kept', { kept: found.length }),
        nextCursor !== undefined && say('cover.next', { cursor: nextCursor }),
      ),
    };
  },
});
