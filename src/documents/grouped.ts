/** Groups values in the order of their first members; drops those without a name. */
export function grouped<T>(all: readonly T[], nameOf: (one: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const name = nameOf(one);
    if (name === undefined) continue;
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(one);
  }
  return groups;
}
