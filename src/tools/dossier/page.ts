import type { DocumentStatus } from '../../documents/summary/summary.ts';
import { escapeXml, oneLine } from '../../documents/untrusted.ts';
import { dossierMessages } from '../../messages/apart/dossier.ts';
import type { Translator } from '../../messages/index.ts';
import { fill, textIn } from '../../messages/message.ts';
import type { DossierRow } from './documents.ts';

type Values = Readonly<Record<string, string | number>>;

type Name = keyof typeof dossierMessages extends `dossier.${infer Rest}` ? Rest : never;

/** Says the words of a dossier in one language. */
export function createDossierWords(translator: Translator) {
  const { language } = translator;
  const say = (name: Name, values: Values = {}): string =>
    fill(textIn(dossierMessages[`dossier.${name}`], language), values);
  return {
    language,
    say,
    content: ({ content }: DossierRow) =>
      content &&
      say(`content.${content.result}`, {
        reason: translator.say(`verify.reason_${content.reason ?? 'not_signed'}`),
      }),
    signer: ({ signer }: DossierRow) => {
      if (signer === undefined) return undefined;
      const name = oneLine(signer.name ?? signer.id ?? '–');
      return say(signer.by === 'national' ? 'signer.national' : `signer.${signer.result}`, { name });
    },
    certificate: ({ signer }: DossierRow) => {
      if (signer === undefined) return undefined;
      const { valid_at_issue: isValid, chain } = signer;
      const validity = isValid === undefined ? [] : [say(isValid ? 'valid.yes' : 'valid.no')];
      return [...validity, say(`chain.${chain}`)].join(', ');
    },
    status: (status: DocumentStatus) => translator.say(`status.${status}`),
    authorization: ({ authorization }: DossierRow) =>
      authorization && say(`authorization.${authorization.result}`),
  };
}

export type DossierWords = ReturnType<typeof createDossierWords>;

interface DossierPage {
  /** Whose and of when, label and value. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Files of tables, and what each holds. */
  readonly tables: readonly (readonly [file: string, words: string])[];
  /** What the documents rest on. */
  readonly basis: readonly string[];
  readonly rows: readonly DossierRow[];
}

const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;margin:2rem;color:#1c2733}h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}' +
  'table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .5rem;border-bottom:1px solid #d5dde5;vertical-align:top}' +
  'td.amount{text-align:right;white-space:nowrap}td small{color:#5b6b7b;word-break:break-all}';

/** A document as a row; the name of its file is made of letters and digits. */
function rowOf(row: DossierRow, words: DossierWords, { money, day }: Translator): string {
  const { summary, document, file, reason } = row;
  const text = (value: string | undefined) => escapeXml(value ?? '');
  const { number, issuer, issued_at: issued, totals, key } = summary;
  const texts = [
    issuer?.name ?? issuer?.id,
    issued && day(issued.slice(0, 10)),
    words.status(document.status),
  ];
  const results = [words.content(row), words.signer(row), words.authorization(row)];
  return [
    `<tr><td>${text(number)}<br><small>${text(key)}</small></td>`,
    ...texts.map((one) => `<td>${text(one)}</td>`),
    `<td class="amount">${text(totals?.total && money(totals.total))}</td>`,
    ...results.map((one) => `<td>${text(one)}</td>`),
    `<td>${file === undefined ? text(reason) : `<a href="${file}">XML</a>`}</td></tr>`,
  ].join('');
}

/** The index as one HTML page without scripts or anything from elsewhere. */
export function indexPage(page: DossierPage, words: DossierWords, translator: Translator): Buffer {
  const { say, language } = words;
  const columns = [
    'number',
    'issuer',
    'issued',
    'status',
    'total',
    'content',
    'signer',
    'authorization',
    'file',
  ] as const;
  const headings = columns.map((name) => `<th>${escapeXml(say(`column.${name}`))}</th>`);
  const parts = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeXml(say('title'))}</title><style>${STYLE}</style></head><body><h1>${escapeXml(say('title'))}</h1><table>`,
    ...page.facts.map(
      ([label, value]) => `<tr><th>${escapeXml(label)}</th><td>${escapeXml(value)}</td></tr>`,
    ),
    `</table><p>${escapeXml(say('page.manifest'))}</p><p>${escapeXml(say('page.xml'))}</p>`,
    `<h2>${escapeXml(say('page.tables'))}</h2><ul>`,
    ...page.tables.map(([file, about]) => `<li><a href="${file}">${file}</a>: ${escapeXml(about)}</li>`),
    `</ul><h2>${escapeXml(say('page.basis'))}</h2><ul>`,
    ...page.basis.map((sentence) => `<li>${escapeXml(sentence)}</li>`),
    `</ul><h2>${escapeXml(say('page.documents'))}</h2><table><tr>`,
    `${headings.join('')}</tr>`,
    ...page.rows.map((row) => rowOf(row, words, translator)),
    '</table></body></html>\n',
  ];
  return Buffer.from(parts.join('\n'));
}
