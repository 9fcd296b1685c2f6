import { isNamed } from '../../archive/ask/words.ts';
import { stateByCode } from '../../documents/identity/keys.ts';
import { cityName, cityNames } from '../../documents/tables/cities.ts';

/** `cMun` of parties abroad. */
const ABROAD = '9999999';

/** Label of a city, e.g. `Campinas/SP`; undefined for an unknown code. */
export function cityLabel(code: string): string | undefined {
  if (code === ABROAD) return 'Exterior/EX';
  const name = cityName(code);
  return name === undefined ? undefined : `${name}/${stateByCode[code.slice(0, 2)] ?? ''}`;
}

/** Cities by name, with or without state: exact matches, otherwise those containing the words. */
export function citiesNamed(given: string): { code: string; label: string }[] {
  const all = [...cityNames().keys()].map((code) => ({ code, label: cityLabel(code) ?? '' }));
  const [name = '', state = ''] = given.split(/[/,]|\s-\s/).map((part) => part.trim());
  const isIn = ({ label }: { label: string }) => state === '' || label.endsWith(`/${state.toUpperCase()}`);
  const found = all.filter((city) => isIn(city) && isNamed(city.label.slice(0, -3), name));
  const exact = found.filter(({ label }) => isNamed(name, label.slice(0, -3)));
  return exact.length > 0 ? exact : found;
}
