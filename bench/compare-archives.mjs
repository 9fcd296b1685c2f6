// Whether two archives in files say the same of the same documents: `node bench/compare-archives.mjs <one> <other>`.
// Meant for archives that two versions of the program made of the same replies. Compared is what both have: tables,
// columns and fields of summaries that only one of them knows are named and passed over, so are moments and digests.
import { inflateRawSync } from 'node:zlib';
import Database from 'libsql';

const [first, second] = process.argv.slice(2);
if (first === undefined || second === undefined) {
  console.error('usage: node bench/compare-archives.mjs <one archive.db> <other archive.db>');
  process.exit(2);
}
const archives = [first, second].map((path) => new Database(path, { readonly: true }));

/** Numbers that each archive gives by itself, and when it was made. */
const passedOver = new Set(
  'tenant id document_id description_id head_id digest fetched_at status_at asked_at reading'.split(' '),
);
const document = '(select identity from documents d where d.id = t.document_id)';
const description = '(select text from descriptions s where s.id = t.description_id)';
/** What tells a row from others besides its columns, by table. */
const known = {
  items: `${document} as of_document, ${description} as described`,
  placements: `${document} as of_document`,
  item_rollup: `case when t."grouping" = 'item' then (select text from descriptions s where s.id = t.first_value)
    else t.first_value end as first_value`,
};
const tables = [
  'documents',
  'items',
  'placements',
  'descriptions',
  'heads',
  'parties',
  'events',
  'document_rollup',
  'day_rollup',
  'item_rollup',
];
/** What a row is known by, to tell a row that differs from one that is missing. */
const keys = {
  documents: ['identity'],
  items: ['of_document', 'line'],
  placements: ['of_document', 'company', 'date_field'],
  descriptions: ['text'],
  heads: ['search'],
  parties: ['tax_id'],
  events: ['identity'],
  document_rollup:
    'company area date_field month direction kind status exclusion issuer recipient state'.split(' '),
  day_rollup: 'company area date_field from_day to_day direction kind status exclusion state'.split(' '),
  item_rollup: 'company area date_field grouping month first_value second_value direction'.split(' '),
};
const most = 5;
let differences = 0;

/** Tells values that differ by the place where they stand. */
function createReport(title) {
  const found = new Map();
  return {
    note(place, example) {
      const known = found.get(place) ?? { count: 0, examples: [] };
      known.count += 1;
      if (known.examples.length < most) known.examples.push(example);
      found.set(place, known);
      differences += 1;
    },
    tell() {
      for (const [place, { count, examples }] of found) {
        console.log(`  ${title} ${place}: ${count} times, e.g. ${examples.join('; ')}`);
      }
    },
  };
}

function columnsOf(archive, table) {
  const rows = archive.prepare(`select name, type from pragma_table_info('${table}')`).all([]);
  return rows.filter(({ type }) => type.toLowerCase() !== 'blob').map(({ name }) => name);
}

function rowsOf(archive, table, columns) {
  const plain = columns.filter((name) => !(table === 'item_rollup' && name === 'first_value'));
  const named = plain.map((name) => `cast(t."${name}" as text) as "${name}"`);
  const text = `select ${[...named, ...(known[table] ? [known[table]] : [])].join(', ')} from ${table} t`;
  const keyOf = (row) => keys[table].map((name) => row[name]).join('|');
  return new Map(
    archive
      .prepare(text)
      .all([])
      .map((row) => [keyOf(row), row]),
  );
}

for (const table of tables) {
  const [ours, theirs] = archives.map((archive) => columnsOf(archive, table));
  if (ours.length === 0 || theirs.length === 0) {
    console.log(`${table}: not in both`);
    continue;
  }
  const columns = ours.filter((name) => theirs.includes(name) && !passedOver.has(name));
  const alone = [...ours, ...theirs].filter((name) => !(ours.includes(name) && theirs.includes(name)));
  const [one, other] = archives.map((archive) => rowsOf(archive, table, columns));
  const apart = alone.length > 0 ? `, not in both: ${alone.join(' ')}` : '';
  console.log(`${table}: ${one.size} and ${other.size} rows, ${columns.length} columns${apart}`);
  const report = createReport(table);
  for (const [key, row] of one) {
    const same = other.get(key);
    if (same === undefined) report.note('rows of the first only', key);
    else {
      for (const name of Object.keys(row)) {
        if (row[name] !== same[name]) report.note(name, `${row[name]} and ${same[name]}`);
      }
    }
  }
  for (const key of other.keys()) if (!one.has(key)) report.note('rows of the second only', key);
  report.tell();
}

const report = createReport('summaries');
const alone = new Map();

function compare(one, other, path) {
  if (typeof one === 'object' && one !== null && typeof other === 'object' && other !== null) {
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const place = `${path}.${Array.isArray(one) ? '*' : name}`;
      if (name in one && name in other) compare(one[name], other[name], place);
      else alone.set(place, (alone.get(place) ?? 0) + 1);
    }
  } else if (one !== other) report.note(path, `${one} and ${other}`);
}

const summaries = `select d.identity, c.summary from documents d join contents c on c.document_id = d.id order by 1`;
const [ours, theirs] = archives.map((archive) => archive.prepare(summaries).all([]));
const byIdentity = new Map(theirs.map(({ identity, summary }) => [identity, summary]));
for (const { identity, summary } of ours) {
  const other = byIdentity.get(identity);
  if (other === undefined) continue;
  const [left, right] = [summary, other].map((bytes) => JSON.parse(inflateRawSync(bytes).toString()));
  compare(left, right, '');
}
console.log(`summaries: ${ours.length} and ${theirs.length}`);
for (const [path, count] of alone) console.log(`  ${path}: in one of them only, ${count} times`);
report.tell();
for (const archive of archives) archive.close();
console.log(differences === 0 ? 'no differences in what both have' : `${differences} differences`);
process.exitCode = differences === 0 ? 0 : 1;
