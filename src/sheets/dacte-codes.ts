type Codes = Readonly<Record<string, string>>;

/** What the codes of a CT-e mean. Source: MOC CT-e 4.00, layouts of CT-e, CT-e OS and simplified CT-e. */
export const modals: Codes = {
  '01': 'Rodoviário',
  '02': 'Aéreo',
  '03': 'Aquaviário',
  '04': 'Ferroviário',
  '05': 'Dutoviário',
  '06': 'Multimodal',
};

export const purposes: Codes = {
  0: 'Normal',
  1: 'Complemento de valores',
  2: 'Anulação',
  3: 'Substituto',
  5: 'Simplificado',
  6: 'Substituto simplificado',
};

export const services: Codes = {
  0: 'Normal',
  1: 'Subcontratação',
  2: 'Redespacho',
  3: 'Redespacho intermediário',
  4: 'Serviço vinculado a multimodal',
  6: 'Transporte de pessoas',
  7: 'Transporte de valores',
  8: 'Excesso de bagagem',
};

export const takers: Codes = {
  0: 'Remetente',
  1: 'Expedidor',
  2: 'Recebedor',
  3: 'Destinatário',
  4: 'Outros',
};

export const units: Codes = {
  '00': 'M3',
  '01': 'KG',
  '02': 'TON',
  '03': 'UN',
  '04': 'LITROS',
  '05': 'MMBTU',
};

/** Elements of the four parties, by the code of the taker. */
export const partiesByTaker: Codes = { 0: 'rem', 1: 'exped', 2: 'receb', 3: 'dest' };
