import { recipeMessages } from '../../messages/apart/recipes.ts';
import { dayFormat, type Language, wordsOf } from '../../messages/message.ts';
import type { PromptName } from './prompts.ts';
import type { PromptValues } from './values.ts';

/** A call as the model is to make it. */
type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

const taxes = ['count', 'total', 'icms', 'icms_st', 'ipi', 'pis', 'cofins', 'ibs', 'cbs'] as const;
const everyKind = ['nfe', 'nfse', 'cte'] as const;
/** As many groups as a person takes in. */
const MOST_GROUPS = 20;

/** What is called, step by step; the words of each step stand in the catalogue under its number. */
const calls: Readonly<Record<PromptName, (values: PromptValues) => readonly Call[]>> = {
  month_closing: ({ from, to, before, cnpj }) => {
    const about = { cnpj, from, to };
    return [
      [
        'query_documents',
        { ...about, document: everyKind, group_by: ['status'], measures: ['count', 'total'] },
      ],
      ['check_documents', { ...about, document: everyKind }],
      [
        'query_documents',
        { ...about, document: ['nfe', 'nfse'], direction: 'inbound', group_by: ['nature'], measures: taxes },
      ],
      [
        'query_documents',
        {
          ...about,
          document: ['nfe', 'nfse'],
          direction: 'outbound',
          group_by: ['nature'],
          measures: [...taxes, 'iss'],
        },
      ],
      [
        'query_documents',
        {
          ...about,
          ...before,
          document: ['nfe', 'nfse'],
          group_by: ['status'],
          measures: ['count', 'total'],
        },
      ],
      ['list_pending_manifestations', { cnpj }],
    ];
  },
  pending_manifestations: ({ cnpj, supplier }) => [
    ['list_pending_manifestations', { cnpj, ...(supplier && { issuer: [supplier] }), limit: 100 }],
  ],
  explain_document: ({ document, key }) => [
    ['get_document', { document, key }],
    ['verify_document', { document, key }],
  ],
  supplier_review: ({ from, to, before, cnpj, supplier }) => {
    const about = { cnpj, from, to, document: ['nfe'], direction: 'inbound', issuer: [supplier] };
    return [
      ['query_documents', { ...about, group_by: ['month'], measures: taxes }],
      ['query_documents', { ...about, ...before, measures: ['count', 'total'] }],
      [
        'query_documents',
        {
          ...about,
          group_by: ['item'],
          measures: ['count', 'products_net', 'quantity', 'average_price'],
          order_by: '-products_net',
          limit: MOST_GROUPS,
        },
      ],
      ['query_documents', { ...about, group_by: ['status'], measures: ['count', 'total'] }],
      ['list_pending_manifestations', { cnpj, issuer: [supplier] }],
    ];
  },
  tax_credits: ({ from, to, cnpj }) => {
    const about = { cnpj, from, to, document: ['nfe'], direction: 'inbound' };
    return [
      [
        'query_documents',
        {
          ...about,
          group_by: ['cfop', 'cst'],
          measures: ['count', 'products', 'icms_base', 'icms', 'icms_credit'],
        },
      ],
      [
        'query_documents',
        {
          ...about,
          group_by: ['issuer', 'regime'],
          measures: ['count', 'total', 'icms', 'icms_credit'],
          order_by: '-icms',
          limit: MOST_GROUPS,
        },
      ],
      [
        'query_documents',
        { ...about, group_by: ['nature'], measures: ['count', 'ipi', 'pis', 'cofins', 'icms_st'] },
      ],
      ['query_documents', { cnpj, from, to, document: ['cte'], measures: ['count', 'total', 'icms'] }],
      ['check_documents', { cnpj, from, to, document: ['nfe', 'cte'], direction: 'inbound' }],
    ];
  },
  reform_readiness: ({ from, to, cnpj }) => [
    [
      'query_documents',
      {
        cnpj,
        from,
        to,
        document: everyKind,
        direction: 'outbound',
        group_by: ['class_trib'],
        measures: ['count', 'total', 'ibs', 'cbs', 'is'],
      },
    ],
    [
      'query_documents',
      {
        cnpj,
        from,
        to,
        document: ['nfe'],
        direction: 'inbound',
        group_by: ['issuer'],
        measures: ['count', 'total', 'ibs', 'cbs'],
        order_by: '-total',
        limit: MOST_GROUPS,
      },
    ],
    ['check_documents', { cnpj, from, to, document: everyKind }],
  ],
  freight_review: ({ from, to, before, cnpj }) => {
    const about = { cnpj, from, to, document: ['cte'] };
    return [
      [
        'query_documents',
        {
          ...about,
          group_by: ['issuer', 'payer'],
          measures: ['count', 'total', 'icms'],
          order_by: '-total',
          limit: MOST_GROUPS,
        },
      ],
      ['query_documents', { ...about, ...before, measures: ['count', 'total', 'icms'] }],
      ['query_documents', { cnpj, from, to, document: ['nfe'], measures: ['count', 'total', 'freight'] }],
      ['check_documents', about],
    ];
  },
};

/** A call on a line of its own, as `→ tool {…}`: what isn't given is left out. */
const written = ([tool, args]: Call) => `→ ${tool} ${JSON.stringify(args)}`;

/** What a prompt says: what to find out, the calls with what each is for, what to present and what not to conclude. */
export function recipe(name: PromptName, values: PromptValues, language: Language): string {
  const say = wordsOf(recipeMessages, language);
  const { from, to, key, supplier = '' } = values;
  // In the calls days are as tools take them, in what is said as people write them.
  const day = dayFormat(language);
  const subject = { from: day(from), to: day(to), key, supplier };
  const steps = calls[name](values).flatMap((call, at) => [
    `${at + 1}. ${say(`${name}.${at + 1}` as 'month_closing.1')}`,
    `   ${written(call)}`,
  ]);
  return [
    say(`${name}.goal`, subject),
    '',
    ...steps,
    '',
    say('always.partial'),
    say('always.cursor'),
    '',
    say(`${name}.present`),
    say('always.present'),
    '',
    say(`${name}.never`),
    say('always.never'),
  ].join('\n');
}
