import { group, leaves } from '../xml.ts';
import { type Party, taxIdElement } from './party.ts';

function address(party: Party): Record<string, string> {
  return {
    xLgr: party.street,
    nro: party.streetNumber,
    xBairro: party.district,
    cMun: party.city.code,
    xMun: party.city.name,
  };
}

/** Address in the field order of the NF-e. */
function nfeAddress(name: string, party: Party): string {
  const { code, name: country } = party.country ?? { code: '1058', name: 'BRASIL' };
  const CEP = party.country ? undefined : party.postalCode;
  const fields = { ...address(party), UF: party.city.state, CEP, cPais: code, xPais: country };
  return group(name, leaves(fields));
}

/** Address in the field order of the CT-e. */
function cteAddress(name: string, party: Party): string {
  return group(name, leaves({ ...address(party), CEP: party.postalCode, UF: party.city.state }));
}

export function nfeIssuer(party: Party): string {
  return group(
    'emit',
    leaves({ [taxIdElement(party)]: party.id, xNome: party.name }),
    nfeAddress('enderEmit', party),
    leaves({ IE: party.stateRegistration, CRT: party.regime }),
  );
}

export function nfeRecipient(party: Party): string {
  return group(
    'dest',
    leaves({ [taxIdElement(party)]: party.id, xNome: party.name }),
    nfeAddress('enderDest', party),
    leaves({ indIEDest: party.stateRegistration ? '1' : '9', IE: party.stateRegistration }),
  );
}

/** A party of a CT-e under its own element and address names, e.g. `rem` with `enderReme`. */
export function cteParty(
  name: string,
  addressName: string,
  party: Party,
  more: Record<string, string> = {},
): string {
  return group(
    name,
    leaves({ [taxIdElement(party)]: party.id, IE: party.stateRegistration, xNome: party.name }),
    cteAddress(addressName, party),
    leaves(more),
  );
}
