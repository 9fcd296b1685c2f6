import type { DocumentStatus } from '../../documents/summary/summary.ts';
import { oneLine } from '../../documents/untrusted.ts';
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
