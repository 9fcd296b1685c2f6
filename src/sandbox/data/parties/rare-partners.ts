import { cities } from './cities.ts';
import type { Party } from './party.ts';

/** Whom the companies trade with now and then, apart from the partners of every day. */
export const fuelSellers: readonly Party[] = [
  {
    id: '31047528000140',
    name: 'Refinaria Planalto Paulista S.A.',
    stateRegistration: '244500918377',
    city: cities.campinas,
    street: 'Rodovia Professor Zeferino Vaz',
    streetNumber: 'km 132',
    district: 'Bonfim',
    postalCode: '13082105',
    regime: '3',
    manufacturer: true,
    sells: ['refined'],
  },
  {
    id: '52886193000123',
    name: 'Distribuidora Araucária de Combustíveis Ltda',
    stateRegistration: '9053317260',
    city: cities.curitiba,
    street: 'Rodovia do Xisto',
    streetNumber: '5900',
    district: 'Barigui',
    postalCode: '81290010',
    regime: '3',
    sells: ['fuel'],
  },
];

/** In the Zona Franca de Manaus. */
export const freeZoneCustomer: Party = {
  id: '24603917000149',
  name: 'Comercial Encontro das Águas Ltda',
  stateRegistration: '041526378',
  city: cities.manaus,
  street: 'Avenida Torquato Tapajós',
  streetNumber: '7210',
  district: 'Flores',
  postalCode: '69058830',
  regime: '3',
};

export const lampsFromAbroad: Party = {
  id: '9144030067',
  name: 'Shenzhen Bright Harbour Electric Co Ltd',
  city: cities.abroad,
  street: 'Longgang Avenue',
  streetNumber: '2188',
  district: 'Longgang',
  postalCode: '',
  country: { code: '1600', name: 'CHINA' },
  regime: '3',
};

export const toolsFromAbroad: Party = {
  id: 'DE811907',
  name: 'Bergmann Werkzeugfabrik GmbH',
  city: cities.abroad,
  street: 'Hafenstrasse',
  streetNumber: '14',
  district: 'Duisburg',
  postalCode: '',
  country: { code: '0230', name: 'ALEMANHA' },
  regime: '3',
};
