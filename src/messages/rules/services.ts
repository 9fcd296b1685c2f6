import type { WordsByRule } from './rule-words.ts';

export const serviceWords = {
  iss_withheld_without_iss: {
    title: { 'pt-BR': 'ISS retido sem valor de ISS', en: 'ISS withheld without an amount of ISS' },
    finding: {
      'pt-BR': 'a nota marca ISS retido e o ISS é {found}; o esperado é {expected}',
      en: 'the note says that ISS is withheld and the ISS is {found}; {expected} is expected',
    },
    todo: {
      'pt-BR': 'Pergunte ao prestador se há ISS a reter e quanto: o recolhimento é do tomador.',
      en: 'Ask the provider whether there is ISS to withhold, and how much: the service recipient (tomador) pays it.',
    },
  },
  iss_above_withheld: {
    title: {
      'pt-BR': 'ISS retido maior que o total retido',
      en: 'ISS withheld above what was withheld in all',
    },
    finding: {
      'pt-BR': 'a nota marca ISS retido e o total retido é {found}; o esperado é {expected}',
      en: 'the note says that ISS is withheld and {found} was withheld in all; {expected} is expected',
    },
    todo: {
      'pt-BR': 'Confira as retenções antes de pagar: o ISS retido parece não ter sido descontado.',
      en: 'Check the withheld taxes before paying: the ISS does not seem to have been deducted.',
    },
  },
  iss_deducted_not_withheld: {
    title: {
      'pt-BR': 'ISS descontado do líquido sem marca de retenção',
      en: 'ISS deducted from the net value but not marked as withheld',
    },
    finding: {
      'pt-BR':
        'o líquido {found} é o valor dos serviços {expected} menos o ISS {iss}, e a nota diz que o ISS não foi retido',
      en: 'the net value {found} is the services {expected} less the ISS {iss}, and the note says that ISS is not withheld',
    },
    todo: {
      'pt-BR': 'Confirme com o prestador quem recolhe o ISS antes de pagar o líquido.',
      en: 'Ask the provider who pays the ISS before the net value is paid.',
    },
  },
} as const satisfies WordsByRule;
