import { below, type FieldTable, together } from '../summary/field-table.ts';

/** What was asked for: `infEvento` of NF-e and CT-e. */
const request: FieldTable = {
  fields: {
    '@Id': 'events.id',
    tpAmb: 'events.environment',
    CNPJ: 'events.author',
    CPF: 'events.author',
    chNFe: 'events.key',
    chCTe: 'events.key',
    dhEvento: 'events.at',
    tpEvento: 'events.code',
    nSeqEvento: 'events.sequence',
    'detEvento/descEvento': 'events.name',
    'detEvento/xCorrecao': 'events.text',
    'detEvento/xJust': 'events.text',
    'detEvento/*/descEvento': 'events.name',
    'detEvento/*/xJust': 'events.text',
    'detEvento/*/xObs': 'events.text',
    'detEvento/*/infCorrecao/grupoAlterado': 'corrections.group',
    'detEvento/*/infCorrecao/campoAlterado': 'corrections.field',
    'detEvento/*/infCorrecao/valorAlterado': 'corrections.value',
  },
  lists: { 'detEvento/*/infCorrecao': ['corrections'] },
};

/** What the tax office answered: `infEvento` of the receipt. */
const receipt: FieldTable = {
  fields: {
    tpAmb: 'receipts.environment',
    cStat: 'receipts.status',
    chNFe: 'receipts.key',
    chCTe: 'receipts.key',
    tpEvento: 'receipts.code',
    xEvento: 'receipts.name',
    nSeqEvento: 'receipts.sequence',
    dhRegEvento: 'receipts.at',
    nProt: 'receipts.number',
  },
};

/**
 * What else the national NFS-e has in `infEvento`: the request inside the receipt. The event's code is in the Id, its
 * words are in the one element named after the code.
 */
const nationalRequest: FieldTable = {
  fields: {
    dhProc: 'protocol.at',
    nDFe: 'protocol.number',
    'pedRegEvento/infPedReg/tpAmb': 'events.environment',
    'pedRegEvento/infPedReg/dhEvento': 'events.at',
    'pedRegEvento/infPedReg/CNPJAutor': 'events.author',
    'pedRegEvento/infPedReg/CPFAutor': 'events.author',
    'pedRegEvento/infPedReg/chNFSe': 'events.key',
    'pedRegEvento/infPedReg/*/xDesc': 'events.name',
    'pedRegEvento/infPedReg/*/xMotivo': 'events.text',
  },
};

/** The request alone: `evento` of NF-e and of the national NFS-e, `eventoCTe`. */
export const eventRequestFields: FieldTable = together(
  below('infEvento', together(request, nationalRequest)),
  {
    fields: { '@versao': 'events.version' },
    lists: { '': ['events'] },
  },
);

/** The receipt alone: `retEvento`, `retEventoCTe`. */
export const eventReceiptFields: FieldTable = together(below('infEvento', receipt), {
  fields: { '@versao': 'receipts.version' },
  lists: { '': ['receipts'] },
});

/** Request and receipt: `procEventoNFe`, `procEventoCTe`. */
export const processedEventFields: FieldTable = together(
  below('evento', eventRequestFields),
  below('eventoCTe', eventRequestFields),
  below('retEvento', eventReceiptFields),
  below('retEventoCTe', eventReceiptFields),
);

/** The receipt of a cancellation before events existed: `infCanc`. */
const formerCancellation: FieldTable = {
  fields: {
    'infCanc/cStat': 'receipts.status',
    'infCanc/chNFe': 'receipts.key',
    'infCanc/chCTe': 'receipts.key',
    'infCanc/dhRecbto': 'receipts.at',
    'infCanc/nProt': 'receipts.number',
  },
  lists: { '': ['receipts'] },
};

/** Events that real files carry beside the protocol of the document they happened to. */
export const appendedEventFields: FieldTable = together(
  processedEventFields,
  below('procEventoNFe', processedEventFields),
  below('procEventoCTe', processedEventFields),
  below('procCancCTe', together(processedEventFields, below('retCancCTe', formerCancellation))),
  below('procCancNFe/retCancNFe', formerCancellation),
  below('retCancNFe', formerCancellation),
);

/** `resNFe`: a note as the tax office lists it. */
export const abridgedNfeFields: FieldTable = {
  fields: {
    '@versao': 'clue.version',
    chNFe: 'document.key',
    CNPJ: 'issuer.cnpj',
    CPF: 'issuer.cpf',
    xNome: 'issuer.name',
    IE: 'issuer.state_registration',
    dhEmi: 'document.issued_at',
    tpNF: 'document.flow',
    vNF: 'totals.total',
    dhRecbto: 'protocol.at',
    nProt: 'protocol.number',
    cSitNFe: 'clue.situation',
  },
};

/** `resEvento`: an event as the tax office lists it. */
export const abridgedEventFields: FieldTable = {
  fields: {
    '@versao': 'events.version',
    CNPJ: 'events.author',
    CPF: 'events.author',
    chNFe: 'events.key',
    dhEvento: 'events.at',
    tpEvento: 'events.code',
    nSeqEvento: 'events.sequence',
    xEvento: 'events.name',
    nProt: 'protocol.number',
    dhRecbto: 'protocol.at',
  },
  lists: { '': ['events'] },
};
