import { describe, expect, it } from 'vitest';
import { createSeveral } from '../../src/company/company-resolver.ts';
import { readTenantsFile } from '../../src/config/tenants-file.ts';
import { configurationOf } from '../support/configuration.ts';
import { company } from '../support/documents.ts';

const base = configurationOf();

/** Eight positions of a root that no other number has. */
const root = (index: number) => String(10_000_000 + index);

function several(tenants: readonly { id: string; companies: readonly string[] }[], meant?: string) {
  const text = JSON.stringify({ tenants: tenants.map((one) => ({ ...one, settings: {} })) });
  return createSeveral(readTenantsFile(text, '/', base), { ...base.settings, cnpj: meant }, {});
}

describe('several tenants side by side', () => {
  const office = Array.from({ length: 200 }, (_, index) => ({
    id: `t${index}`,
    companies: [`${root(index)}*`],
  }));

  it('cost nothing before they are asked: of two hundred those that a call is about are made, once', () => {
    const served = several(office);
    expect(served.inUse()).toEqual([]);
    const cnpj = `${root(150)}000199`;
    const first = served.forCall({ cnpj }, false);
    expect(first.tenant).toBe('t150');
    expect(served.forCall({ cnpj: [cnpj] }, true)).toBe(first);
    expect(served.inUse()).toEqual([first]);
  });

  it('are distinguished by the issuer in reads, and never in writes', () => {
    const served = several(office);
    const issued = { key: { issuer: { type: 'cnpj', id: `${root(3)}000100` } } };
    expect(served.forCall(issued, false).tenant).toBe('t3');
    expect(() => served.forCall(issued, true)).toThrow('tenants.company_missing');
    const note = {
      document: 'nfse',
      number: '1',
      issue_date: '2026-11-02',
      issuer_cnpj: `${root(4)}000100`,
    } as const;
    expect(served.forDocument(note).tenant).toBe('t4');
  });

  it('have one that is meant where nothing is named', () => {
    const served = several(office, `${root(7)}000100`);
    expect(served.forCall({}, true).tenant).toBe('t7');
  });

  it('that share a company are not guessed between', () => {
    const served = several([
      { id: 'a', companies: [company] },
      { id: 'b', companies: [`${company.slice(0, 8)}*`] },
    ]);
    expect(() => served.forCall({ cnpj: company }, false)).toThrow('tenants.company_of_several');
    expect(served.inUse()).toEqual([]);
  });

  it('name a few of their companies where there are many', () => {
    const served = several(office);
    try {
      served.forCall({}, false);
      expect.unreachable();
    } catch (error) {
      const { values } = error as { values: { known: string } };
      expect(values.known).toMatch(/^10000000\*, .*, …$/);
      expect(values.known.length).toBeLessThan(400);
    }
  });
});
