import { isDay } from '../archive/days.ts';
import type { DocumentArea } from '../archive/references.ts';
import type { PurgeSelection } from '../archive/write/purge.ts';
import type { ArchiveAction, ArchiveRequest } from '../config/command-line.ts';
import { checkTaxId } from '../documents/identity/tax-ids.ts';
import type { Translator } from '../messages/index.ts';

const areas: readonly DocumentArea[] = ['nfe', 'nfse', 'cte'];

type Option = Exclude<keyof ArchiveRequest, 'action' | 'paths'>;

const selecting: readonly ArchiveAction[] = ['fetch', 'export', 'purge'];

/** Actions that support an option. Ignoring one would remove what was meant to stay. */
const actionsWith: Readonly<Record<Option, readonly ArchiveAction[]>> = {
  company: selecting,
  kind: selecting,
  from: selecting,
  until: selecting,
  to: ['export'],
  yes: ['purge'],
  refresh: ['fetch'],
  hash: ['verify-dossier'],
};

/** A parsed selection, or its problems in words. */
export type Understood =
  | { readonly ok: true; readonly selection: PurgeSelection }
  | { readonly ok: false; readonly reasons: readonly string[] };

/** Parses the options of `docfiscal-mcp archive`; any doubtful value is refused. */
export function understand(request: ArchiveRequest, translator: Translator): Understood {
  const { say } = translator;
  const { action, company, kind, from, until } = request;
  const reasons: string[] = [];
  const refuse = (option: Option, words: string) =>
    void reasons.push(say('argument.problem', { argument: `--${option}`, words }));

  for (const [option, actions] of Object.entries(actionsWith) as [Option, readonly ArchiveAction[]][]) {
    const isGiven = request[option] !== undefined && request[option] !== false;
    if (isGiven && !actions.includes(action)) refuse(option, say('archive.not_heeded', { action }));
  }
  if (action === 'export' && request.to === undefined) {
    reasons.push(say('argument.missing', { argument: '--to' }));
  }
  if (action === 'verify-dossier' && request.paths.length !== 1) reasons.push(say('archive.one_dossier'));
  if (request.hash !== undefined && !/^[0-9a-f]{64}$/i.test(request.hash))
    refuse('hash', say('archive.bad_hash'));
  const id = company === undefined ? undefined : checkTaxId(company);
  if (id?.ok === false) refuse('company', translator.problem(id.problem));
  const area = areas.find((one) => one === kind);
  if (kind !== undefined && area === undefined) {
    reasons.push(say('argument.not_among', { argument: '--kind', choices: areas.join(', ') }));
  }
  for (const [option, day] of [['from', from] as const, ['until', until] as const]) {
    if (day !== undefined && !isDay(day)) refuse(option, say('argument.date'));
  }
  if (reasons.length === 0 && from !== undefined && until !== undefined && from > until) {
    reasons.push(say('argument.period_reversed', { from, to: until }));
  }
  if (reasons.length > 0) return { ok: false, reasons };
  return {
    ok: true,
    selection: {
      company: id?.ok ? id.value.id : undefined,
      area,
      from,
      to: until,
    },
  };
}
