/** Which layout the city's service invoices come in. */
export type NfseLayout = 'national' | 'abrasf';

export interface City {
  /** IBGE code, 7 digits; the first two are the state's. */
  readonly code: string;
  readonly name: string;
  readonly state: string;
  readonly nfseLayout: NfseLayout;
}

function city(code: string, name: string, state: string, nfseLayout: NfseLayout): City {
  return { code, name, state, nfseLayout };
}

export const cities = {
  beloHorizonte: city('3106200', 'Belo Horizonte', 'MG', 'abrasf'),
  blumenau: city('4202404', 'Blumenau', 'SC', 'abrasf'),
  campinas: city('3509502', 'Campinas', 'SP', 'abrasf'),
  caxiasDoSul: city('4305108', 'Caxias do Sul', 'RS', 'national'),
  contagem: city('3118601', 'Contagem', 'MG', 'abrasf'),
  curitiba: city('4106902', 'Curitiba', 'PR', 'national'),
  florianopolis: city('4205407', 'Florianópolis', 'SC', 'national'),
  goiania: city('5208707', 'Goiânia', 'GO', 'national'),
  guarulhos: city('3518800', 'Guarulhos', 'SP', 'abrasf'),
  joinville: city('4209102', 'Joinville', 'SC', 'national'),
  jundiai: city('3525904', 'Jundiaí', 'SP', 'national'),
  londrina: city('4113700', 'Londrina', 'PR', 'abrasf'),
  manaus: city('1302603', 'Manaus', 'AM', 'national'),
  niteroi: city('3303302', 'Niterói', 'RJ', 'national'),
  portoAlegre: city('4314902', 'Porto Alegre', 'RS', 'national'),
  recife: city('2611606', 'Recife', 'PE', 'abrasf'),
  salvador: city('2927408', 'Salvador', 'BA', 'abrasf'),
  /** `cMun`, `xMun` and `UF` of whoever is abroad. */
  abroad: city('9999999', 'EXTERIOR', 'EX', 'national'),
  sorocaba: city('3552205', 'Sorocaba', 'SP', 'abrasf'),
  uberlandia: city('3170206', 'Uberlândia', 'MG', 'national'),
  vitoria: city('3205309', 'Vitória', 'ES', 'abrasf'),
} as const;
