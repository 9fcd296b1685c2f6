import { type RawBuilder, sql } from 'kysely';
import { codesOf, type Nature, natures } from '../../documents/tables/cfop.ts';

/** What the issuer sells the other party buys; everything else is the same on both sides. */
const otherSide: Readonly<Partial<Record<Nature, Nature>>> = { sale: 'purchase', purchase: 'sale' };

const given = natures.filter((nature) => nature !== 'other');

/** The nature of an item `i` by its code, one branch for each nature; `seen` is what it is for who asks. */
function byCode(seen: (nature: Nature) => Nature): RawBuilder<string> {
  const branches = given.map(
    (nature) =>
      sql`when i.cfop in (${sql.join(codesOf(nature).map((code) => sql.lit(code)))}) then ${sql.lit(seen(nature))}`,
  );
  // Services have no CFOP: they are sold by who renders them. What is no item's has no nature.
  return sql<string>`case ${sql.join(branches, sql` `)}
    when i.cfop <> '' then 'other' when d.area = 'nfse' then ${sql.lit(seen('sale'))} else '' end`;
}

/** What an item `i` of a document `d` is for companies, given as a list in SQL. Source: docs/fiscal/checks.md. */
export function natureFor(companies: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`case when d.issuer in (${companies}) then ${byCode((nature) => nature)}
    else ${byCode((nature) => otherSide[nature] ?? nature)} end`;
}
