// The rooms of src as a table and as a picture, from the imports in the code itself.
import { readFileSync } from 'node:fs';

/** What each room is for. */
const purposes = JSON.parse(readFileSync(new URL('docs-rooms.json', import.meta.url), 'utf8'));

const code = (text) => `\`${text}\``;

/** Rooms with the rooms they import: `static` when they are loaded, `dynamic` only on first use. */
function roomsOf(files, { importsOf, roomOf }) {
  const rooms = new Map();
  for (const file of files) {
    const name = roomOf(file.name);
    const room = rooms.get(name) ?? { name, folders: new Set(), static: new Set(), dynamic: new Set() };
    const [, folder, ...below] = file.name.split('/');
    if (below.length > 0) room.folders.add(folder);
    for (const { to, isDynamic } of importsOf(file)) {
      const other = roomOf(to);
      if (other === name || other === '..') continue;
      (isDynamic ? room.dynamic : room.static).add(other);
    }
    rooms.set(name, room);
  }
  for (const room of rooms.values()) {
    room.all = new Set([...room.static, ...room.dynamic]);
  }
  return rooms;
}

/** Rooms sorted so that each follows those it imports, then by name. */
function inOrder(rooms) {
  const heights = new Map();
  const heightOf = (name, way = []) => {
    if (way.includes(name)) throw new Error(`rooms import each other: ${[...way, name].join(', ')}`);
    if (!heights.has(name)) {
      const below = [...rooms.get(name).all].map((other) => heightOf(other, [...way, name]));
      heights.set(name, below.length === 0 ? 0 : Math.max(...below) + 1);
    }
    return heights.get(name);
  };
  return [...rooms.values()].sort(
    (one, other) => heightOf(one.name) - heightOf(other.name) || (one.name < other.name ? -1 : 1),
  );
}

/** Whether a room imports another indirectly too. */
function isReachedOtherwise(rooms, from, to) {
  const seen = new Set();
  const reach = (name) => {
    if (name === to) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return [...rooms.get(name).all].some(reach);
  };
  return [...rooms.get(from).all].some((other) => other !== to && reach(other));
}

function table(rooms, order) {
  const rows = order.map(({ name, folders, all }) => {
    const purpose = purposes[name];
    if (purpose === undefined) throw new Error(`scripts/docs-rooms.json does not say what ${name} is for`);
    const below = [...folders].sort().map(code).join(', ');
    const buildsOn = order.filter((other) => all.has(other.name)).map((other) => code(other.name));
    return `| ${code(name)} | ${purpose} | ${below} | ${buildsOn.join(', ')} |`;
  });
  const gone = Object.keys(purposes).filter((name) => !rooms.has(name));
  if (gone.length > 0)
    throw new Error(`scripts/docs-rooms.json names rooms that are gone: ${gone.join(', ')}`);
  return ['| room | contents | folders | imports |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function picture(rooms, order) {
  const node = (name) => (name.includes('.') ? `${name.replace('.', '_')}["${name}"]` : name);
  const arrows = order.flatMap(({ name, all, static: loaded }) => {
    const next = order.filter((other) => all.has(other.name) && !isReachedOtherwise(rooms, name, other.name));
    const [onLoad, onUse] = [true, false].map((isStatic) =>
      next.filter((other) => loaded.has(other.name) === isStatic).map((other) => node(other.name)),
    );
    return [
      ...(onLoad.length > 0 ? [`  ${node(name)} --> ${onLoad.join(' & ')}`] : []),
      ...(onUse.length > 0 ? [`  ${node(name)} -.-> ${onUse.join(' & ')}`] : []),
    ];
  });
  return ['```mermaid', 'flowchart TD', ...arrows.toReversed(), '```'].join('\n');
}

/** The texts between the markers of docs/architecture.md, by marker. */
export function architectureParts(files, reader) {
  const rooms = roomsOf(files, reader);
  const order = inOrder(rooms);
  return { rooms: table(rooms, order), picture: picture(rooms, order) };
}
