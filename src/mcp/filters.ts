import * as z from 'zod';
import type { Filters } from '../archive/store/ask/question.ts';
import { stateByCode } from '../documents/identity/states.ts';
import { checkTaxId, unmaskTaxId } from '../documents/identity/tax-ids.ts';
import type { MessageKey } from '../messages/index.ts';
import type { CallContext } from '../services/call-context.ts';
import { BadArguments } from '../services/failures.ts';
import { problemIssue, ruleIssue } from './arguments.ts';

/** Every status; what a question asks for by name is not left out. */
export const statuses = ['authorized', 'cancelled', 'denied', 'no_protocol', 'unknown'] as const;

const amount = () =>
  z.string().superRefine((text, context) => {
    if (!/^-?\d{1,15}(\.\d{1,6})?$/.test(text)) context.addIssue(ruleIssue('argument.amount'));
  });

/**
 * A recipient abroad has an identifier of its own, punctuation and all: `dest/idEstrangeiro` of an NF-e, the NIF of an
 * NFS-e. What is shaped like a CPF or CNPJ is none, and what has no digit is a name.
 */
const isForeignId = (id: string): boolean =>
  /^[\x21-\xff][\x20-\xff]{3,38}[\x21-\xff]$/.test(id) &&
  /\d/.test(id) &&
  !/^(?:\d{11}|[0-9A-Z]{12}\d{2})$/.test(unmaskTaxId(id));

/** A tax id that is wrong would match nothing, which would read as "nothing found". */
const party = (takesForeign: boolean) =>
  z.string().transform((text, context) => {
    const checked = checkTaxId(text);
    if (checked.ok) return checked.value.id;
    if (takesForeign && isForeignId(text.trim())) return text.trim();
    context.issues.push({ ...problemIssue(checked.problem), input: text });
    return z.NEVER;
  });

/** A party's CNPJ or CPF, masked or not. */
export const taxId = () => party(false);

/** A code, or how it begins, typed with or without the dots it is printed with. */
const code = (form: RegExp, rule: Extract<MessageKey, `argument.${string}`>) =>
  z.string().transform((text, context) => {
    const plain = text.replace(/[\s.]/g, '').toUpperCase();
    if (form.test(plain)) return plain;
    context.issues.push({ ...ruleIssue(rule), input: text });
    return z.NEVER;
  });

/** The states, and EX for parties abroad. */
const stateForm = new RegExp(`^(?:${Object.values(stateByCode).join('|')}|EX)$`);

/** The filters that every analysis takes, in few words: they cost tokens in every session. */
export const filterShape = () => ({
  issuer: party(false).optional().describe('CNPJ or CPF'),
  recipient: party(true).optional().describe('CNPJ or CPF'),
  state: code(stateForm, 'argument.state').optional().describe("Other party's"),
  cfop: code(/^\d{1,4}$/, 'argument.cfop')
    .optional()
    .describe('Prefix'),
  ncm: code(/^\d{1,8}$/, 'argument.ncm')
    .optional()
    .describe('Prefix'),
  cst: code(/^\d{2,4}$/, 'argument.cst')
    .optional()
    .describe('Or CSOSN'),
  class_trib: code(/^\d{6}$/, 'argument.class_trib')
    .optional()
    .describe('cClassTrib'),
  status: z.enum(statuses).optional().describe('Status'),
  min_total: amount().optional().describe('Decimal text'),
  max_total: amount().optional().describe('Decimal text'),
  text: z.string().optional().describe('Words in it'),
});

type FilterArguments = Partial<z.output<z.ZodObject<ReturnType<typeof filterShape>>>>;

/** The filters as the archive takes them. @throws BadArguments for totals that no document can have */
export function filtersFrom(args: FilterArguments, { translator }: CallContext): Filters {
  const { issuer, recipient, state, cfop, ncm, cst, class_trib, status, min_total, max_total, text } = args;
  if (min_total !== undefined && max_total !== undefined && Number(min_total) > Number(max_total)) {
    throw new BadArguments([
      translator.say('argument.totals_reversed', { least: min_total, most: max_total }),
    ]);
  }
  return {
    issuer: issuer === undefined ? undefined : [issuer],
    recipient: recipient === undefined ? undefined : [recipient],
    state: state === undefined ? undefined : [state],
    cfop: cfop === undefined ? undefined : [cfop],
    ncm: ncm === undefined ? undefined : [ncm],
    cst: cst === undefined ? undefined : [cst],
    class_trib: class_trib === undefined ? undefined : [class_trib],
    status: status === undefined ? undefined : [status],
    min_total,
    max_total,
    text,
  };
}
