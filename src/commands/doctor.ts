import type { Configuration, Source } from '../config/configure.ts';
import { settings as declared } from '../config/settings.ts';
import { version } from '../config/version.ts';
import type { Translator } from '../messages/index.ts';
import { explainFailure, reportUnexpected } from '../services/failures.ts';
import { accountAuth, type Services } from '../services/services.ts';
import { plainHttpWarnings } from './warnings.ts';

interface Finding {
  readonly status: 'ok' | 'failed' | 'not_configured';
  readonly message: string;
}

/** What `doctor --json` prints. Secrets show as `***`. */
interface Report {
  readonly version: string;
  readonly node: string;
  readonly settings: readonly { variable: string; source: Source; value: string | null }[];
  readonly documents: Finding;
  readonly account: Finding;
  readonly writes: Finding;
  readonly event_template: Finding;
  readonly warnings: readonly string[];
}

function settingLines({ settings, sources }: Configuration): Report['settings'] {
  return declared.map(({ name, variable }) => {
    const value = settings[name];
    return { variable, source: sources[name], value: value === undefined ? null : String(value) };
  });
}

function failed(error: unknown, translator: Translator): Finding {
  return {
    status: 'failed',
    message: explainFailure(error, translator) ?? reportUnexpected(error, translator),
  };
}

async function examineDocuments({ settings, translator, documents }: Services): Promise<Finding> {
  const hasSome = settings.url !== undefined && settings.user !== undefined;
  if (!hasSome || !(settings.password || settings.passwordFile)) {
    const message = await documents().then(
      () => '',
      (error: unknown) => failed(error, translator).message,
    );
    return { status: 'not_configured', message };
  }
  try {
    const client = await documents();
    const answer = await client.call('connectivity', {});
    const login = await client.call('login', {});
    const sentences = [
      translator.say('connection.reachable', { answer }),
      translator.say('connection.login', { answer: login }),
    ];
    return { status: 'ok', message: sentences.join(' ') };
  } catch (error) {
    return failed(error, translator);
  }
}

function examineAccount({ settings, translator }: Services): Finding {
  const auth = accountAuth(settings);
  const missing = [
    ...(settings.accountUrl === undefined ? ['DFE_ACCOUNT_URL'] : []),
    ...('missing' in auth ? auth.missing : []),
  ];
  if ('missing' in auth || missing.length > 0) {
    const message = translator.say('connection.account_missing', { variables: missing.join(', ') });
    return { status: 'not_configured', message };
  }
  return { status: 'ok', message: translator.say('connection.account_configured', { way: auth.type }) };
}

async function examineWrites({ settings, translator, writeGuards }: Services): Promise<Finding> {
  if (settings.readOnly) return { status: 'ok', message: translator.say('doctor.read_only') };
  try {
    const { journal } = await writeGuards();
    await journal.probe();
    const [open, damage] = [await journal.open(), await journal.damage()];
    const [oldest] = open;
    const sentences = [
      translator.say('doctor.journal_usable'),
      ...(oldest ? [translator.say('journal.open_writes', { count: open.length, at: oldest.at })] : []),
      ...(damage.count > 0 ? [translator.say('journal.damaged', { count: damage.count })] : []),
    ];
    return { status: 'ok', message: sentences.join(' ') };
  } catch (error) {
    return failed(error, translator);
  }
}

async function examineTemplate({ settings, translator }: Services): Promise<Finding> {
  const { createEventLayout } = await import('../clients/tax-documents/event-layout.ts');
  const layout = createEventLayout(settings.eventTemplate);
  if (!layout.ok) {
    const words = translator.problem(layout.problem);
    return { status: 'failed', message: translator.say('failure.event_template', { words }) };
  }
  return { status: 'ok', message: translator.say('doctor.template', { kind: layout.value.kind }) };
}

function asText(report: Report, translator: Translator): string {
  const marks = { ok: '✓', failed: '✗', not_configured: '–' } as const;
  // Some sentences begin with the name themselves.
  const line = (name: string, { status, message }: Finding) =>
    `${marks[status]} ${message.startsWith(`${name}:`) ? '' : `${name}: `}${message}`;
  const width = Math.max(...report.settings.map(({ variable }) => variable.length));
  return [
    `docfiscal-mcp ${report.version}, Node ${report.node}`,
    '',
    ...report.settings.map(
      ({ variable, source, value }) =>
        `${variable.padEnd(width)}  ${translator.say(`doctor.source_${source}`).padEnd(12)}${value ?? ''}`,
    ),
    '',
    line(translator.say('doctor.documents'), report.documents),
    line(translator.say('doctor.account'), report.account),
    line(translator.say('doctor.writes'), report.writes),
    line('DFE_EVENT_TEMPLATE', report.event_template),
    ...report.warnings,
    '',
  ].join('\n');
}

/**
 * Looks at everything a call would need and says what is there, where it came from and how to mend what is not.
 * @returns the report as text, and whether everything that is configured works
 */
export async function examine(
  configuration: Configuration,
  services: Services,
  asJson: boolean,
): Promise<{ text: string; isWell: boolean }> {
  const report: Report = {
    version,
    node: process.versions.node,
    settings: settingLines(configuration),
    documents: await examineDocuments(services),
    account: examineAccount(services),
    writes: await examineWrites(services),
    event_template: await examineTemplate(services),
    warnings: plainHttpWarnings(configuration.settings, services.translator),
  };
  const findings = [report.documents, report.account, report.writes, report.event_template];
  return {
    text: asJson ? `${JSON.stringify(report, null, 2)}\n` : asText(report, services.translator),
    isWell: findings.every(({ status }) => status !== 'failed'),
  };
}
