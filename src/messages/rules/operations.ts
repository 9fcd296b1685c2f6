import type { WordsByRule } from './rule-words.ts';

export const operationWords = {
  cfop_form: {
    title: { 'pt-BR': 'CFOP fora do formato', en: 'Malformed CFOP' },
    finding: {
      'pt-BR': 'item {item}: {found} não é CFOP (quatro algarismos, com início em {expected})',
      en: 'item {item}: {found} is not a CFOP (four digits, beginning with {expected})',
    },
    todo: {
      'pt-BR': 'Peça ao emitente o CFOP correto (carta de correção, se couber).',
      en: 'Ask the issuer for the right CFOP (a correction letter, where it may be used).',
    },
  },
  cfop_unknown: {
    title: { 'pt-BR': 'CFOP que não consta da tabela oficial', en: 'CFOP that is not in the official table' },
    finding: {
      'pt-BR': 'item {item}: CFOP {found} não consta da tabela de {expected}',
      en: 'item {item}: CFOP {found} is not in the table of {expected}',
    },
    todo: {
      'pt-BR':
        'Confira na tabela vigente do Portal da NF-e; se o código não existir, peça a correção ao emitente.',
      en: 'Look it up in the table in force on the NF-e portal; if there is no such code, ask the issuer to correct it.',
    },
  },
  cfop_against_flow: {
    title: {
      'pt-BR': 'CFOP × entrada ou saída do emitente',
      en: 'CFOP × inbound or outbound for the issuer',
    },
    finding: {
      'pt-BR': 'item {item}: CFOP {found} em nota com tpNF {flow}; o esperado começa por {expected}',
      en: 'item {item}: CFOP {found} in a note with tpNF {flow}; one beginning with {expected} is expected',
    },
    todo: {
      'pt-BR': 'Peça ao emitente a correção: o CFOP da nota é o da operação dele.',
      en: 'Ask the issuer to correct it: the CFOP of a note is that of its own operation.',
    },
  },
  cfop_against_states: {
    title: {
      'pt-BR': 'CFOP × destino da operação (idDest) ou UF',
      en: 'CFOP × destination of the operation (idDest) or states',
    },
    finding: {
      'pt-BR':
        'item {item}: CFOP {found}, de {origin} para {destination}, idDest {reach}; o grupo seria o de {expected}',
      en: 'item {item}: CFOP {found}, from {origin} to {destination}, idDest {reach}; the group would be {expected}',
    },
    todo: {
      'pt-BR':
        'Confira onde a mercadoria foi entregue; sem idDest, pode estar certo em venda presencial ou com entrega ou retirada em outro lugar.',
      en: 'Check where the goods were delivered; without idDest it may be right when sold over the counter, or delivered or collected elsewhere.',
    },
  },
  cte_cfop_against_route: {
    title: {
      'pt-BR': 'CFOP do CT-e × UF de início e de fim',
      en: 'CFOP of the CT-e × states of departure and arrival',
    },
    finding: {
      'pt-BR': 'CFOP {found} em transporte de {origin} a {destination}; o grupo seria o de {expected}',
      en: 'CFOP {found} for carriage from {origin} to {destination}; the group would be {expected}',
    },
    todo: {
      'pt-BR': 'Confira o trajeto com o transportador antes de aproveitar o crédito de ICMS do frete.',
      en: 'Check the route with the carrier before the ICMS of the freight is taken as credit.',
    },
  },
  flow_against_direction: {
    title: {
      'pt-BR': 'Nota de entrada do fornecedor entre as recebidas',
      en: 'Supplier’s own entry note among those received',
    },
    finding: {
      'pt-BR': 'o emitente registrou a própria entrada ({found}: {operation}), em geral devolução ou retorno',
      en: 'the issuer recorded its own entry ({found}: {operation}), usually a return',
    },
    todo: {
      'pt-BR': 'Confira antes de escriturar como compra.',
      en: 'Check it before it is booked as a purchase.',
    },
  },
  return_without_reference: {
    title: {
      'pt-BR': 'Devolução sem a nota de origem por item',
      en: 'Return without its original note per item',
    },
    finding: {
      'pt-BR':
        'devolução com DFeReferenciado em {found} de {expected} itens; o primeiro sem ele é o {item} (regra VC02-14, rejeição 321)',
      en: 'return with DFeReferenciado in {found} of {expected} items; the first without it is {item} (rule VC02-14, rejection 321)',
    },
    todo: {
      'pt-BR':
        'Em nota própria, emita a próxima com a chave e o item da nota de origem em cada item; em nota recebida, confirme com o emitente a que compra ela se refere.',
      en: 'In your own next notes give key and item of the original note in each item; for a note received, ask the issuer which purchase it refers to.',
    },
  },
} as const satisfies WordsByRule;
