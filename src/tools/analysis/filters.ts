import * as z from 'zod';
import type { Filters } from '../../archive/store/question.ts';
import { unmaskTaxId } from '../../documents/tax-ids.ts';
import { ruleIssue } from '../arguments.ts';

/** Every status; what a question asks for by name is not left out. */
export const statuses = ['authorized', 'cancelled', 'denied', 'no_protocol', 'unknown'] as const;

const amount = () =>
  z.string().superRefine((text, context) => {
    if (!/^-?\d{1,15}(\.\d{1,6})?$/.test(text)) context.addIssue(ruleIssue('argument.amount'));
  });

/** The filters that every analysis takes, in few words: they cost tokens in every session. */
export const filterShape = () => ({
  issuer: z.string().optional().describe('CNPJ or CPF'),
  recipient: z.string().optional().describe('CNPJ or CPF'),
  state: z.string().optional().describe("Other party's"),
  cfop: z.string().optional().describe('Prefix'),
  ncm: z.string().optional().describe('Prefix'),
  cst: z.string().optional().describe('Or CSOSN'),
  class_trib: z.string().optional().describe('cClassTrib'),
  status: z.enum(statuses).optional().describe('Status'),
  min_total: amount().optional().describe('Decimal text'),
  max_total: amount().optional().describe('Decimal text'),
  text: z.string().optional().describe('Words in it'),
});

type FilterArguments = Partial<z.output<z.ZodObject<ReturnType<typeof filterShape>>>>;

/** The filters as the archive takes them. */
export function filtersFrom(args: FilterArguments): Filters {
  const { issuer, recipient, state, cfop, ncm, cst, class_trib, status, min_total, max_total, text } = args;
  return {
    ...(issuer !== undefined && { issuer: [unmaskTaxId(issuer)] }),
    ...(recipient !== undefined && { recipient: [unmaskTaxId(recipient)] }),
    ...(state !== undefined && { state: [state.toUpperCase()] }),
    ...(cfop !== undefined && { cfop: [cfop] }),
    ...(ncm !== undefined && { ncm: [ncm] }),
    ...(cst !== undefined && { cst: [cst] }),
    ...(class_trib !== undefined && { class_trib: [class_trib] }),
    ...(status !== undefined && { status: [status] }),
    ...(min_total !== undefined && { min_total }),
    ...(max_total !== undefined && { max_total }),
    ...(text !== undefined && { text }),
  };
}
