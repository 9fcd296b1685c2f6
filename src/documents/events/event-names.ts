import { manifestationEvents } from './manifestation.ts';

/** `descEvento` by `tpEvento`, to the letter of the schemas, without accents. Source: docs/fiscal/events.md. */
export const eventDescriptions: Readonly<Record<string, string>> = {
  '110110': 'Carta de Correcao',
  '110111': 'Cancelamento',
  '110112': 'Cancelamento por substituicao',
  ...Object.fromEntries(
    Object.values(manifestationEvents).map(({ code, description }) => [code, description]),
  ),
  '610110': 'Prestacao do Servico em Desacordo',
};

/** What an event is called whose file gives its code only, as a receipt without its request may; undefined for others. */
export function eventDescription(code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(eventDescriptions, code) ? eventDescriptions[code] : undefined;
}
