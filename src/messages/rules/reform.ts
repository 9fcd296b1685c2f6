import { amountUnderCode, type WordsByRule } from './rule-words.ts';

const groupInSome = {
  'pt-BR':
    'emitente com CRT {regime} e grupo IBS/CBS em {found} de {expected} itens; o primeiro sem ele é o {item}. Devido, sem data publicada para a rejeição',
  en: 'issuer with CRT {regime} and the IBS/CBS group in {found} of {expected} items; the first without it is {item}. Due; no rejection date published',
} as const;

const noGroup = {
  'pt-BR': 'falta o grupo {expected}. Devido, sem data publicada para a rejeição',
  en: 'the group {expected} is missing. Due; no rejection date published',
} as const;

const askForGroup = {
  'pt-BR':
    'Em nota própria, inclua o grupo nas próximas; em documento recebido, avise o emitente: até 31/12/2026 quem corrige não é autuado (Ato Conjunto RFB/CGIBS 5/2026).',
  en: 'Include the group in your own next documents; for a document received, tell its issuer: whoever corrects it by 31 December 2026 is not fined (Ato Conjunto RFB/CGIBS 5/2026).',
} as const;

const correctCode = {
  'pt-BR':
    'Confira a classificação na tabela do IT 2025.002 (Portal da NF-e) e corrija o cadastro ou avise o emitente.',
  en: 'Look the classification up in the table of IT 2025.002 (NF-e portal) and correct the product’s master data or tell the issuer.',
} as const;

const correctAmounts = {
  'pt-BR': 'Confira o cálculo: em nota própria, corrija o sistema; em nota recebida, avise o emitente.',
  en: 'Check the calculation: for your own notes, correct the system; for a note received, tell the issuer.',
} as const;

export const reformWords = {
  ibs_cbs_missing: {
    title: { 'pt-BR': 'Regime normal sem grupo IBS/CBS', en: 'Normal regime without the IBS/CBS group' },
    finding: groupInSome,
    todo: askForGroup,
  },
  ibs_cbs_missing_simples: {
    title: { 'pt-BR': 'Simples ou MEI sem grupo IBS/CBS', en: 'Simples or MEI without the IBS/CBS group' },
    finding: groupInSome,
    todo: {
      'pt-BR':
        'Avise o emitente; as orientações para o Simples e o MEI ainda serão publicadas em nota técnica.',
      en: 'Tell the issuer; the technical note for the Simples and MEI is still to be published.',
    },
  },
  ibs_cbs_missing_cte: {
    title: {
      'pt-BR': 'CT-e do regime normal sem grupo IBS/CBS',
      en: 'CT-e of the normal regime without the IBS/CBS group',
    },
    finding: noGroup,
    todo: askForGroup,
  },
  ibs_cbs_missing_nfse: {
    title: { 'pt-BR': 'NFS-e nacional sem grupo IBS/CBS', en: 'National NFS-e without the IBS/CBS group' },
    finding: noGroup,
    todo: askForGroup,
  },
  ibs_cbs_missing_nfse_simples: {
    title: {
      'pt-BR': 'NFS-e nacional de prestador do Simples ou MEI sem grupo IBS/CBS',
      en: 'National NFS-e of a provider under the Simples or MEI without the IBS/CBS group',
    },
    finding: noGroup,
    todo: {
      'pt-BR': 'Avise o prestador; confira antes se já há orientação publicada para o Simples e o MEI.',
      en: 'Tell the provider; first see whether instructions for the Simples and MEI have been published.',
    },
  },
  ibs_cbs_cst_unknown: {
    title: {
      'pt-BR': 'CST do IBS/CBS que não consta da tabela',
      en: 'CST of IBS/CBS that is not in the table',
    },
    finding: {
      'pt-BR': 'item {item}: CST {found} não consta da tabela de {expected}',
      en: 'item {item}: CST {found} is not in the table of {expected}',
    },
    todo: correctCode,
  },
  class_trib_form: {
    title: { 'pt-BR': 'cClassTrib fora do formato', en: 'Malformed cClassTrib' },
    finding: {
      'pt-BR': 'item {item}: cClassTrib {found} não tem seis algarismos',
      en: 'item {item}: cClassTrib {found} does not have six digits',
    },
    todo: correctCode,
  },
  class_trib_against_cst: {
    title: { 'pt-BR': 'cClassTrib × CST do IBS/CBS', en: 'cClassTrib × CST of IBS/CBS' },
    finding: {
      'pt-BR': 'item {item}: cClassTrib {found} com CST {cst}; deveria começar como {expected}',
      en: 'item {item}: cClassTrib {found} with CST {cst}; it should begin like {expected}',
    },
    todo: correctCode,
  },
  class_trib_unknown: {
    title: {
      'pt-BR': 'cClassTrib fora da tabela oficial na data de emissão',
      en: 'cClassTrib that is not in the official table on the day of issue',
    },
    finding: {
      'pt-BR': 'item {item}: cClassTrib {found} não vale na data de emissão pela tabela de {expected}',
      en: 'item {item}: cClassTrib {found} is not in force on the day of issue in the table of {expected}',
    },
    todo: {
      'pt-BR':
        'Confira na tabela vigente do Portal da NF-e: o código pode ser mais novo que a tabela do programa.',
      en: 'Look it up in the table in force on the NF-e portal: the code may be newer than the program’s table.',
    },
  },
  class_trib_out_of_document: {
    title: {
      'pt-BR': 'cClassTrib que não cabe neste documento',
      en: 'cClassTrib not allowed in this kind of document',
    },
    finding: {
      'pt-BR': 'item {item}: cClassTrib {found} não é permitido em {document} pela tabela de {expected}',
      en: 'item {item}: cClassTrib {found} is not allowed in {document} by the table of {expected}',
    },
    todo: correctCode,
  },
  ibs_cbs_group: {
    title: { 'pt-BR': 'CST do IBS/CBS × grupo de valores', en: 'CST of IBS/CBS × group of amounts' },
    finding: {
      'pt-BR': 'item {item}: CST {cst} com {found}; o esperado é {expected}',
      en: 'item {item}: CST {cst} with {found}; {expected} is expected',
    },
    todo: correctCode,
  },
  ibs_cbs_not_due: {
    title: { 'pt-BR': 'IBS ou CBS em CST sem tributação', en: 'IBS or CBS under a CST that is not taxed' },
    finding: amountUnderCode,
    todo: correctAmounts,
  },
  cbs_due: {
    title: { 'pt-BR': 'Tributação integral sem CBS', en: 'Taxed in full without CBS' },
    finding: amountUnderCode,
    todo: correctAmounts,
  },
  ibs_cbs_rate: {
    title: {
      'pt-BR': 'Alíquota de IBS ou CBS × alíquota do ano',
      en: 'Rate of IBS or CBS × rate of the year',
    },
    finding: {
      'pt-BR': 'item {item}: {field} {found}; em {year} é {expected}',
      en: 'item {item}: {field} {found}; in {year} it is {expected}',
    },
    todo: correctAmounts,
  },
  cbs_against_base: {
    title: { 'pt-BR': 'CBS × base e alíquota', en: 'CBS × base and rate' },
    finding: {
      'pt-BR': 'item {item}: CBS {found} sobre a base {base}; à alíquota de {rate}% seriam {expected}',
      en: 'item {item}: CBS {found} on the base {base}; at {rate}% it would be {expected}',
    },
    todo: correctAmounts,
  },
  ibs_cbs_items_against_totals: {
    title: { 'pt-BR': 'IBS e CBS dos itens × totais', en: 'IBS and CBS of items × totals' },
    finding: {
      'pt-BR': '{field}: os itens somam {found} e o total é {expected}',
      en: '{field}: the items add up to {found} and the total is {expected}',
    },
    todo: correctAmounts,
  },
  ibs_cbs_totals_missing: {
    title: {
      'pt-BR': 'Itens com IBS/CBS sem os totais (IBSCBSTot)',
      en: 'Items with IBS/CBS without the totals (IBSCBSTot)',
    },
    finding: {
      'pt-BR': '{found}; o esperado é {expected} (regras W34-10 e W34-20)',
      en: '{found}; {expected} is expected (rules W34-10 and W34-20)',
    },
    todo: correctAmounts,
  },
  total_with_ibs_cbs_missing: {
    title: { 'pt-BR': 'Total com IBS/CBS (vNFTot) ausente', en: 'Total with IBS/CBS (vNFTot) missing' },
    finding: {
      'pt-BR': 'a nota tem IBSCBSTot e não tem {expected} (regra W60-05, rejeição sem data)',
      en: 'the note has IBSCBSTot and no {expected} (rule W60-05, rejection without a date)',
    },
    todo: {
      'pt-BR': 'Nada a fazer na escrituração; em nota própria, inclua vNFTot nas próximas.',
      en: 'Nothing to do in the books; put vNFTot into your own next notes.',
    },
  },
  total_with_ibs_cbs_inconsistent: {
    title: {
      'pt-BR': 'Total com IBS/CBS (vNFTot) que não fecha',
      en: 'Total with IBS/CBS (vNFTot) that does not add up',
    },
    finding: {
      'pt-BR': 'vNFTot é {found}; seria {expected}, com ou sem IBS, CBS e IS',
      en: 'vNFTot is {found}; it would be {expected}, with or without IBS, CBS and IS',
    },
    todo: correctAmounts,
  },
} as const satisfies WordsByRule;
