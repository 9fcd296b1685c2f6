import { isoDate, isoMoment } from '../calendar.ts';
import { type Party, taxIdElement } from '../parties/party.ts';
import { type Cents, formatCents, formatRate } from '../taxes/cents.ts';
import type { IbsCbs } from '../taxes/ibs-cbs.ts';
import { element, group, leaves } from '../xml.ts';
import type { Nfse } from './book.ts';
import { COFINS_RATE, type NfseContent, PIS_RATE } from './content.ts';

const NAMESPACE = { xmlns: 'http://www.sped.fazenda.gov.br/nfse', versao: '1.01' };

function positive(cents: Cents): string | undefined {
  return cents === 0 ? undefined : formatCents(cents);
}

function totalWithheld({ withheld }: NfseContent): Cents {
  return withheld.iss + withheld.incomeTax + withheld.socialContribution;
}

function provider(party: Party): string {
  const address = {
    xLgr: party.street,
    nro: party.streetNumber,
    xBairro: party.district,
    cMun: party.city.code,
    UF: party.city.state,
    CEP: party.postalCode,
  };
  const id = { [taxIdElement(party)]: party.id, xNome: party.name };
  return group('emit', leaves(id), group('enderNac', leaves(address)));
}

function taker(party: Party): string {
  return group(
    'toma',
    leaves({ [taxIdElement(party)]: party.id, xNome: party.name }),
    group(
      'end',
      group('endNac', leaves({ cMun: party.city.code, CEP: party.postalCode })),
      leaves({ xLgr: party.street, nro: party.streetNumber, xBairro: party.district }),
    ),
  );
}

function ibsCbsOfNote(note: Nfse, content: NfseContent, tax: IbsCbs): string {
  const { code, name } = note.issuer.city;
  const { rates } = tax;
  const effective = (place: string, rate: string) =>
    leaves({ [`p${place}`]: rate, [`pAliqEfet${place.slice(3)}`]: rate });
  return group(
    'IBSCBS',
    leaves({ cLocalidadeIncid: code, xLocalidadeIncid: name }),
    group(
      'valores',
      leaves({ vBC: formatCents(tax.base) }),
      group('uf', effective('IBSUF', formatRate(rates.state))),
      group('mun', effective('IBSMun', formatRate(rates.city))),
      group('fed', leaves({ pCBS: formatRate(rates.cbs), pAliqEfetCBS: formatRate(rates.cbs) })),
    ),
    group(
      'totCIBS',
      leaves({ vTotNF: formatCents(content.gross) }),
      group(
        'gIBS',
        leaves({ vIBSTot: formatCents(tax.ibsState + tax.ibsCity) }),
        group('gIBSUFTot', leaves({ vIBSUF: formatCents(tax.ibsState) })),
        group('gIBSMunTot', leaves({ vIBSMun: formatCents(tax.ibsCity) })),
      ),
      group('gCBS', leaves({ vCBS: formatCents(tax.cbs) })),
    ),
  );
}

function ibsCbsOfDeclaration(tax: IbsCbs): string {
  const classification = leaves({ CST: tax.cst, cClassTrib: tax.classification });
  return group(
    'IBSCBS',
    leaves({ finNFSe: '0', indFinal: '0', cIndOp: '100301', indDest: '0' }),
    group('valores', group('trib', group('gIBSCBS', classification))),
  );
}

function federalTaxes(content: NfseContent): string {
  if (content.pis === 0) return '';
  const contributions = {
    CST: '01',
    vBCPisCofins: formatCents(content.gross),
    pAliqPis: formatRate(PIS_RATE),
    pAliqCofins: formatRate(COFINS_RATE),
    vPis: formatCents(content.pis),
    vCofins: formatCents(content.cofins),
    tpRetPisCofins: '2',
  };
  const { incomeTax, socialContribution } = content.withheld;
  return group(
    'tribFed',
    group('piscofins', leaves(contributions)),
    leaves({ vRetIRRF: positive(incomeTax), vRetCSLL: positive(socialContribution) }),
  );
}

function declaration(note: Nfse, content: NfseContent): string {
  const { issuer, service } = note;
  const city = issuer.city.code;
  const number = String(note.number);
  const id = `DPS${city}2${issuer.id}00001${number.padStart(15, '0')}`;
  const withheldByTaker = content.withheld.iss > 0;
  return element(
    'DPS',
    NAMESPACE,
    element(
      'infDPS',
      { Id: id },
      leaves({
        tpAmb: '1',
        dhEmi: isoMoment(note.issuedAt),
        verAplic: 'SANDBOX_1.0',
        serie: '00001',
        nDPS: number,
      }),
      leaves({ dCompet: isoDate(note.issuedAt), tpEmit: '1', cLocEmi: city }),
      group(
        'prest',
        leaves({ [taxIdElement(issuer)]: issuer.id }),
        group('regTrib', leaves({ opSimpNac: issuer.regime === '1' ? '3' : '1', regEspTrib: '0' })),
      ),
      taker(note.recipient),
      group(
        'serv',
        group('locPrest', leaves({ cLocPrestacao: city })),
        group(
          'cServ',
          leaves({ cTribNac: service.nationalCode, xDescServ: content.description, cNBS: service.nbs }),
        ),
      ),
      group(
        'valores',
        group('vServPrest', leaves({ vServ: formatCents(content.gross) })),
        group(
          'trib',
          group(
            'tribMun',
            leaves({
              tribISSQN: '1',
              tpRetISSQN: withheldByTaker ? '2' : '1',
              pAliq: formatRate(content.issRate),
            }),
          ),
          federalTaxes(content),
          group('totTrib', leaves({ indTotTrib: '0' })),
        ),
      ),
      content.ibsCbs ? ibsCbsOfDeclaration(content.ibsCbs) : '',
    ),
  );
}

/** `NFSe` of the national layout 1.01, without XML declaration. */
export function nationalNfseXml(note: Nfse, key: string, content: NfseContent): string {
  const { name, code } = note.issuer.city;
  const withheld = totalWithheld(content);
  return element(
    'NFSe',
    NAMESPACE,
    element(
      'infNFSe',
      { Id: `NFS${key}` },
      leaves({
        xLocEmi: name,
        xLocPrestacao: name,
        nNFSe: String(note.number),
        cLocIncid: code,
        xLocIncid: name,
      }),
      leaves({
        xTribNac: note.service.listName,
        verAplic: 'SANDBOX_1.0',
        ambGer: '2',
        tpEmis: '1',
        procEmi: '1',
      }),
      leaves({ cStat: '100', dhProc: isoMoment(note.authorizedAt), nDFSe: key.slice(40, 49) }),
      provider(note.issuer),
      group(
        'valores',
        leaves({
          vBC: formatCents(content.gross),
          pAliqAplic: formatRate(content.issRate),
          vISSQN: formatCents(content.iss),
          vTotalRet: positive(withheld),
          vLiq: formatCents(content.net),
        }),
      ),
      content.ibsCbs ? ibsCbsOfNote(note, content, content.ibsCbs) : '',
      declaration(note, content),
    ),
  );
}
