import { describe, expect, it } from 'vitest';
import { completeAccessKey } from '../../src/documents/identity/keys.ts';
import { dense, drawn } from './drawn.ts';

const keyOf = (start: string) => completeAccessKey(start);
const own = keyOf('3526115871652300011957001000000077110000077'.slice(0, 43));
const notes = [1, 2, 3, 4].map((n) =>
  keyOf(`3526111122233300018155001000000${String(n).padStart(3, '0')}11000000${n}`),
);
const [first = '', second = '', third = '', partial = ''] = notes;
const earlier = keyOf('3526109988877700016657001000000055110000055');
const replaced = keyOf('3526115871652300011957001000000066110000066');

/** Every group of the layout that a DACTE has a place for. Source: MOC CT-e 4.00, layout of the simplified CT-e. */
const simplified = (purpose = '5') =>
  '<cteSimpProc xmlns="http://www.portalfiscal.inf.br/cte" versao="4.00"><CTeSimp xmlns="http://www.portalfiscal.inf.br/cte">' +
  `<infCte versao="4.00" Id="CTe${own}"><ide><cUF>35</cUF><cCT>00000771</cCT><CFOP>6353</CFOP><natOp>TRANSPORTE FRACIONADO</natOp>` +
  `<mod>57</mod><serie>1</serie><nCT>77</nCT><dhEmi>2026-11-05T08:30:00-03:00</dhEmi><tpImp>1</tpImp><tpEmis>1</tpEmis><tpAmb>1</tpAmb>` +
  `<tpCTe>${purpose}</tpCTe><modal>01</modal><tpServ>0</tpServ><UFIni>SP</UFIni><UFFim>MG</UFFim><retira>1</retira></ide>` +
  '<compl><xCaracAd>EXPRESSO</xCaracAd><xObs>Entregar pela manhã</xObs></compl>' +
  '<emit><CNPJ>58716523000119</CNPJ><IE>244000000117</IE><xNome>TRANSPORTADORA VELOZ LTDA</xNome><enderEmit><xLgr>RUA DO PORTO</xLgr><nro>9</nro>' +
  '<xBairro>CENTRO</xBairro><cMun>3548500</cMun><xMun>SANTOS</xMun><UF>SP</UF></enderEmit><CRT>3</CRT></emit>' +
  '<toma><toma>4</toma><indIEToma>1</indIEToma><CNPJ>48152036000117</CNPJ><IE>110042490114</IE><xNome>TOMADORA HORIZONTE LTDA</xNome>' +
  '<enderToma><xLgr>AVENIDA PAULISTA</xLgr><nro>1000</nro><xBairro>BELA VISTA</xBairro><cMun>3550308</cMun><xMun>SAO PAULO</xMun><CEP>01310100</CEP><UF>SP</UF></enderToma></toma>' +
  '<infCarga><vCarga>87654.32</vCarga><proPred>PECAS</proPred><infQ><cUnid>01</cUnid><tpMed>PESO BRUTO</tpMed><qCarga>1234.5000</qCarga></infQ></infCarga>' +
  '<det nItem="1"><cMunIni>3548500</cMunIni><xMunIni>SANTOS</xMunIni><cMunFim>3106200</cMunFim><xMunFim>BELO HORIZONTE</xMunFim>' +
  `<vPrest>1100.10</vPrest><vRec>1000.10</vRec><Comp><xNome>PEDAGIO</xNome><vComp>45.67</vComp></Comp><infNFe><chNFe>${first}</chNFe></infNFe><infNFe><chNFe>${second}</chNFe></infNFe></det>` +
  '<det nItem="2"><cMunIni>3548500</cMunIni><xMunIni>SANTOS</xMunIni><cMunFim>3136702</cMunFim><xMunFim>JUIZ DE FORA</xMunFim>' +
  `<vPrest>200.20</vPrest><vRec>199.20</vRec><infNFe><chNFe>${third}</chNFe></infNFe></det>` +
  '<det nItem="3"><cMunIni>3548500</cMunIni><xMunIni>SANTOS</xMunIni><cMunFim>3170206</cMunFim><xMunFim>UBERLANDIA</xMunFim>' +
  `<vPrest>33.03</vPrest><vRec>33.03</vRec><infDocAnt><chCTe>${earlier}</chCTe><tpPrest>2</tpPrest><infNFeTranspParcial><chNFe>${partial}</chNFe></infNFeTranspParcial></infDocAnt></det>` +
  '<infModal versaoModal="4.00"><rodo><RNTRC>12345678</RNTRC></rodo></infModal>' +
  (purpose === '6' ? `<infCteSub><chCte>${replaced}</chCte></infCteSub>` : '') +
  '<imp><ICMS><ICMS00><CST>00</CST><vBC>1333.33</vBC><pICMS>12.00</pICMS><vICMS>160.00</vICMS></ICMS00></ICMS><infAdFisco>REGIME ESPECIAL 7</infAdFisco></imp>' +
  '<total><vTPrest>1333.33</vTPrest><vTRec>1232.33</vTRec></total></infCte>' +
  `<infCTeSupl><qrCodCTe>https://dfe-portal.svrs.rs.gov.br/cte/qrCode?chCTe=${own}&amp;tpAmb=1</qrCodCTe></infCTeSupl></CTeSimp>` +
  `<protCTe versao="4.00"><infProt><tpAmb>1</tpAmb><chCTe>${own}</chCTe><dhRecbto>2026-11-05T08:30:09-03:00</dhRecbto><nProt>135260000000077</nProt><cStat>100</cStat></infProt></protCTe></cteSimpProc>`;

const groups = (key: string) => key.match(/.{4}/g)?.join(' ') ?? '';

/** Texts that the sheet shows of the file, in lines of those that belong together. */
const shown =
  `DACTE SIMPLIFICADO|Simplificado|Rodoviário|6353 - TRANSPORTE FRACIONADO|135260000000077|05/11/2026 08:30:00
TRANSPORTADORA VELOZ LTDA|58.716.523/0001-19|RUA DO PORTO|SANTOS|TOMADORA HORIZONTE LTDA|48.152.036/0001-17
AVENIDA PAULISTA, 1000|01310-100|110042490114|PECAS|87.654,32|PESO BRUTO|1.234,5|12345678|Entregar pela manhã
REGIME ESPECIAL 7|BELO HORIZONTE|JUIZ DE FORA|UBERLANDIA|PEDAGIO: 45,67|1.100,10|1.000,10|200,20|199,20|33,03
1.333,33|1.232,33|12,00|160,00`.split(/[|\n]/);

describe('the DACTE of a simplified CT-e', () => {
  it('has every value of the file, and each delivery with what belongs to it', async () => {
    const { dense: text, marks } = await drawn(simplified());
    expect(marks).toEqual([]);
    const keys = [own, first, second, third, partial, earlier].map(groups);
    expect([...shown, ...keys].filter((one) => !text.includes(dense(one)))).toEqual([]);
    const places = ['BELO HORIZONTE', first, second, 'JUIZ DE FORA', third, 'UBERLANDIA', earlier, partial];
    const found = places.map((one) => text.indexOf(dense(one)));
    expect(found).toEqual([...found].sort((one, other) => one - other));
  });

  it('names the CT-e that it replaces', async () => {
    const { dense: text } = await drawn(simplified('6'));
    expect(text).toContain(dense(`CT-E SUBSTITUÍDO ${groups(replaced)}`));
    expect(text).toContain(dense('Substituto simplificado'));
  });
});
