import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { failedFor } from '../archive/errors.ts';
import { type DocumentReference, mimeTypes, resourceFormats, resourceUri } from '../archive/references.ts';
import { Refused } from '../clients/errors.ts';
import type { CompanyResolver } from '../company/company-resolver.ts';
import { startDeadline, withinCall } from '../company/deadline.ts';
import { failureWords, Unfulfilled } from '../company/failures.ts';
import { checkAccessKey, readAccessKey } from '../documents/identity/keys.ts';
import { checkTaxId } from '../documents/identity/tax-ids.ts';
import { familyOf, kindName } from '../documents/summary/summary.ts';
import { oneLine } from '../documents/untrusted.ts';
import { VIEW_TYPE, views } from '../tools/shared/definition.ts';
import { readResource } from '../tools/shared/summary-output.ts';
import { isLarger } from './tool-calls.ts';

/** The document that a template's variables name; undefined where they name none. */
function referenceIn(
  document: DocumentReference['document'],
  variables: Readonly<Record<string, string | string[]>>,
): DocumentReference | undefined {
  const value = (name: string) => decodeURIComponent(String(variables[name]));
  try {
    if (document !== 'nfse') {
      const key = readAccessKey(value('key'));
      const isOfKind = key.ok && familyOf(key.value.kind) === document;
      return isOfKind ? { document, key: key.value.key } : undefined;
    }
    const [issuer, number, issue_date] = [checkTaxId(value('issuer')), value('number'), value('issue_date')];
    if (!issuer.ok || !/^\d{4}-\d{2}-\d{2}$/.test(issue_date)) return undefined;
    return { document, number, issue_date, issuer_cnpj: issuer.value.id };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Refusals that mean "no such document"; other failures stay errors. Source: docs/fiscal/events.md. */
const absentCodes: ReadonlySet<string | undefined> = new Set(['137', '217', '494']);

function isAbsent(error: unknown): boolean {
  if (error instanceof Refused) return absentCodes.has(error.refusal.code);
  return failedFor('not_in_files', error);
}

/** Completes a template variable from documents seen so far. */
function complete(resolver: CompanyResolver, document: DocumentReference['document'], variable: string) {
  return (typed: string): string[] => {
    const values = resolver.seen().flatMap((reference) => {
      if (reference.document !== document) return [];
      if (reference.document !== 'nfse') return [reference.key];
      const { number, issue_date, issuer_cnpj: issuer } = reference;
      const parts: Readonly<Record<string, string>> = { issuer, number, issue_date };
      return [parts[variable] ?? ''];
    });
    return [...new Set(values)].filter((value) => value.startsWith(typed.trim()) && value === oneLine(value));
  };
}

const MOST_LISTED = 50;

function listed(reference: DocumentReference) {
  const { number, issuer } = numberAndIssuer(reference);
  const name = oneLine(`${kindName(reference.document)} ${number} ${issuer}`).trim();
  return { uri: resourceUri(reference, 'summary'), name, mimeType: mimeTypes.summary };
}

function numberAndIssuer(reference: DocumentReference) {
  if (reference.document === 'nfse') return { number: reference.number, issuer: reference.issuer_cnpj };
  const key = checkAccessKey(reference.key);
  if (!key.ok) return { number: reference.key, issuer: '' };
  return { number: key.value.number, issuer: key.value.issuer.id };
}

/** Summaries of documents named by recent answers, latest first. */
function recent(resolver: CompanyResolver, document: DocumentReference['document']) {
  const latest = resolver.seen().slice(-MOST_LISTED).toReversed();
  return { resources: latest.filter((one) => one.document === document).map(listed) };
}

export function registerResources(server: McpServer, resolver: CompanyResolver): void {
  const { translator } = resolver;
  for (const document of ['nfe', 'cte', 'nfse'] as const) {
    const variables = document === 'nfse' ? ['issuer', 'number', 'issue_date'] : ['key'];
    const path = variables.map((name) => `{${name}}`).join('/');
    for (const format of resourceFormats) {
      const template = new ResourceTemplate(`dfe://${document}/${path}/${format}`, {
        list: format === 'summary' ? () => recent(resolver, document) : undefined,
        complete: Object.fromEntries(variables.map((name) => [name, complete(resolver, document, name)])),
      });
      server.registerResource(
        `${document}-${format}`,
        template,
        {
          title: translator.say('resource.title', { kind: kindName(document), format }),
          mimeType: mimeTypes[format],
        },
        async (uri, values, { mcpReq }) => {
          const reference = referenceIn(document, values);
          if (reference === undefined) throw new ResourceNotFoundError(uri.href);
          const deadline = startDeadline();
          const caller = mcpReq.signal;
          const signal = AbortSignal.any([caller, deadline.over]);
          try {
            const company = resolver.forDocument(reference);
            const reading = readResource(reference, format, company, signal);
            const contents = await withinCall(reading, { deadline, caller });
            const result = { contents: [{ ...contents, uri: uri.href }] };
            if (isLarger(result)) throw new Unfulfilled('failure.answer_too_large');
            return result;
          } catch (error) {
            if (isAbsent(error)) throw new ResourceNotFoundError(uri.href);
            throw new ProtocolError(ProtocolErrorCode.InternalError, failureWords(error, translator));
          } finally {
            deadline.end();
          }
        },
      );
    }
  }
}

/** Initial language, until the host names its own. */
const LANGUAGE = '<html lang="pt-BR">';

const shown = { ui: { prefersBorder: true } };

/** Registers the view pages unless `DFE_APPS` excludes them. As templates they stay out of the list of documents. */
export function registerViews(server: McpServer, { settings, translator }: CompanyResolver): void {
  if (settings.apps === 'off') return;
  server.registerResource(
    'views',
    new ResourceTemplate('ui://docfiscal/{view}.html', { list: undefined }),
    { title: translator.say('resource.views'), mimeType: VIEW_TYPE, _meta: shown },
    async (uri, { view: name }) => {
      if (!views.some((one) => one === name)) throw new ResourceNotFoundError(uri.href);
      // One page shows all answers; each kind of answer has its own URI.
      const { html } = await import('view:page');
      const text = html.replace(LANGUAGE, `<html lang="${translator.language}">`);
      return { contents: [{ uri: uri.href, mimeType: VIEW_TYPE, text, _meta: shown }] };
    },
  );
}
