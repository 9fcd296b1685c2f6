import { eventDescriptions } from '../../documents/events/event-names.ts';
import { isoMoment, type Moment } from './calendar.ts';
import { element, group, leaves } from './xml.ts';

/** An event that was registered on a document. */
export interface RegisteredEvent {
  readonly documentKey: string;
  /** `tpEvento`, six digits. */
  readonly code: string;
  readonly sequence: number;
  /** CNPJ of who registered it. */
  readonly author: string;
  /** `cOrgao`: a state's code, or 91 for the national environment. */
  readonly authority: string;
  readonly at: Moment;
  readonly protocol: string;
  /** Justification or correction. */
  readonly text?: string;
  /** A cancellation that was accepted after its time. */
  readonly isLate?: boolean;
}

/** `cStat` and `xMotivo` of a registration. Source: docs/fiscal/events.md. */
const registrations = {
  inTime: { cStat: '135', xMotivo: 'Evento registrado e vinculado a NF-e' },
  late: { cStat: '155', xMotivo: 'Cancelamento homologado fora de prazo' },
} as const;

const CORRECTION_TERMS =
  'A Carta de Correcao e disciplinada pelo paragrafo 1o-A do art. 7o do Convenio S/N, de 15 de dezembro de 1970 e ' +
  'pode ser utilizada para regularizacao de erro ocorrido na emissao de documento fiscal, desde que o erro nao ' +
  'esteja relacionado com: I - as variaveis que determinam o valor do imposto tais como: base de calculo, ' +
  'aliquota, diferenca de preco, quantidade, valor da operacao ou da prestacao; II - a correcao de dados ' +
  'cadastrais que implique mudanca do remetente ou do destinatario; III - a data de emissao ou de saida.';

function detail(event: RegisteredEvent, authorization: string): string {
  const name = eventDescriptions[event.code] ?? '';
  if (event.code === '110110') {
    return leaves({ descEvento: name, xCorrecao: event.text, xCondUso: CORRECTION_TERMS });
  }
  if (event.code === '110111') return leaves({ descEvento: name, nProt: authorization, xJust: event.text });
  return leaves({ descEvento: name, xJust: event.text });
}

/** `procEventoNFe`. `authorization` is the document's own protocol, which a cancellation repeats. */
export function nfeEventElement(event: RegisteredEvent, authorization: string): string {
  const sequence = String(event.sequence);
  const id = `ID${event.code}${event.documentKey}${sequence.padStart(2, '0')}`;
  const subject = { chNFe: event.documentKey };
  const at = isoMoment(event.at);
  return element(
    'procEventoNFe',
    { xmlns: 'http://www.portalfiscal.inf.br/nfe', versao: '1.00' },
    element(
      'evento',
      { versao: '1.00' },
      element(
        'infEvento',
        { Id: id },
        leaves({ cOrgao: event.authority, tpAmb: '1', CNPJ: event.author, ...subject, dhEvento: at }),
        leaves({ tpEvento: event.code, nSeqEvento: sequence, verEvento: '1.00' }),
        element('detEvento', { versao: '1.00' }, detail(event, authorization)),
      ),
    ),
    element(
      'retEvento',
      { versao: '1.00' },
      group(
        'infEvento',
        leaves({ tpAmb: '1', verAplic: 'SANDBOX_1.0', cOrgao: event.authority }),
        leaves({ ...registrations[event.isLate ? 'late' : 'inTime'], ...subject, tpEvento: event.code }),
        leaves({
          xEvento: eventDescriptions[event.code],
          nSeqEvento: sequence,
          dhRegEvento: at,
          nProt: event.protocol,
        }),
      ),
    ),
  );
}

/** `procEventoCTe` of a cancellation. */
export function cteCancellationElement(event: RegisteredEvent, authorization: string): string {
  const sequence = String(event.sequence);
  const id = `ID${event.code}${event.documentKey}${sequence.padStart(3, '0')}`;
  const at = isoMoment(event.at);
  const cancellation = leaves({
    descEvento: eventDescriptions[event.code],
    nProt: authorization,
    xJust: event.text,
  });
  return element(
    'procEventoCTe',
    { xmlns: 'http://www.portalfiscal.inf.br/cte', versao: '4.00' },
    element(
      'eventoCTe',
      { versao: '4.00' },
      element(
        'infEvento',
        { Id: id },
        leaves({ cOrgao: event.authority, tpAmb: '1', CNPJ: event.author, chCTe: event.documentKey }),
        leaves({ dhEvento: at, tpEvento: event.code, nSeqEvento: sequence }),
        element('detEvento', { versaoEvento: '4.00' }, group('evCancCTe', cancellation)),
      ),
    ),
    element(
      'retEventoCTe',
      { versao: '4.00' },
      group(
        'infEvento',
        leaves({ tpAmb: '1', verAplic: 'SANDBOX_1.0', cOrgao: event.authority, cStat: '135' }),
        leaves({ xMotivo: 'Evento registrado e vinculado a CT-e', chCTe: event.documentKey }),
        leaves({ tpEvento: event.code, xEvento: eventDescriptions[event.code], nSeqEvento: sequence }),
        leaves({ dhRegEvento: at, nProt: event.protocol }),
      ),
    ),
  );
}
