import { EMPTY, type UnseenFolder } from '../archive/files/look-over.ts';
import type { FilesState } from '../archive/files/user-files.ts';
import type { Translator } from '../messages/index.ts';
import type { CallContext } from './call-context.ts';
import { Unfulfilled } from './failures.ts';

/** Milliseconds that are waited to learn whose documents the files are; what has been read by then decides. */
const LONGEST_FIRST_LOOK = 6_000;

/** What of an answer rests on the user's files. */
export interface FilesBasis {
  readonly state: FilesState;
  /** Whether there is no service to ask: nothing says whether a period is complete. */
  readonly isAlone: boolean;
  /** Whether the company is the one that most of them share, and no setting says it. */
  readonly isChosen: boolean;
}

/** The company that most documents of the files share. @throws Unfulfilled where none or several do */
async function companyOfFiles(context: CallContext): Promise<string> {
  const files = await context.company.files();
  if (files === undefined) throw new Unfulfilled('failure.company_missing');
  await files.ready({ deadline: Date.now() + LONGEST_FIRST_LOOK, signal: context.signal });
  const { company, candidates: all } = await files.whose();
  const candidates = all.filter((one) => context.company.allows(one.company));
  const [only, ...others] = candidates;
  if (company !== undefined && context.company.allows(company)) return company;
  if (only !== undefined && others.length === 0) return only.company;
  if (candidates.length === 0) throw new Unfulfilled('files.no_company');
  const companies = candidates.map((one) => `${one.company} (${one.documents})`).join(', ');
  throw new Unfulfilled('files.company_unclear', { companies });
}

/**
 * The company a call is about: the one it names, else the configured one, else the one that most documents of the
 * user's files share.
 * @throws Unfulfilled where nothing names one, and for one that this caller may not ask about
 */
export async function companyAsked(
  { cnpj }: { readonly cnpj?: string | undefined },
  context: CallContext,
): Promise<string> {
  const company = cnpj ?? context.company.settings.cnpj ?? (await companyOfFiles(context));
  if (!context.company.allows(company)) throw new Unfulfilled('failure.company_not_allowed', { company });
  return company;
}

/** Gives the companies a call is about, each once; throws what `companyAsked` throws. */
export type CompaniesAsked = () => readonly [string, ...string[]];

/** The companies a call is about, to be given or refused together with what else is wrong with the call. */
export async function companiesAsked(
  { cnpj = [] }: { readonly cnpj?: readonly string[] | undefined },
  context: CallContext,
): Promise<CompaniesAsked> {
  try {
    const named = cnpj.length > 0 ? cnpj : [undefined];
    const companies: string[] = [];
    for (const one of new Set(named)) companies.push(await companyAsked({ cnpj: one }, context));
    const [first, ...others] = companies;
    if (first === undefined) throw new TypeError('a call is about one company at least');
    return () => [first, ...others];
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** How long the files may be read for an answer. */
export interface Reading {
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** Looks at the folders however lately that was done. */
  readonly refresh?: boolean | undefined;
}

/** Reads the user's files, and makes a company's documents among them findable; undefined without files. */
export async function readUserFiles(
  company: string | undefined,
  { deadline, refresh = false }: Reading,
  context: CallContext,
): Promise<FilesBasis | undefined> {
  const { signal, translator } = context;
  const files = await context.company.files();
  if (files === undefined) return undefined;
  const state = await files.ready({
    deadline,
    signal,
    refresh,
    onProgress({ files: found, read, documents }) {
      // Progress is a courtesy: the answer does not wait for it.
      void context.progress(read, found, translator.say('files.reading_progress', { read, documents }));
    },
  });
  if (company !== undefined) await files.adopt(company);
  const { settings, hasService } = context.company;
  const isChosen =
    company !== undefined && settings.cnpj === undefined && (await files.whose()).company === company;
  return { state, isAlone: !hasService, isChosen };
}

/** Why a folder gave nothing, in words. */
export function unseenWords({ path, code }: UnseenFolder, translator: Translator): string {
  return translator.say(code === EMPTY ? 'files.empty_folder' : 'files.unseen', { path, code });
}

/** Folders that can't be looked into or are empty, in words. */
export function unseenFolders({ state }: FilesBasis, { translator }: CallContext): string[] {
  return (state.result?.unseen ?? []).map((one) => unseenWords(one, translator));
}

/** What a reader must know of the files before believing an answer. */
export function filesSentences(
  basis: FilesBasis | undefined,
  company: string | undefined,
  documents: number,
  context: CallContext,
) {
  if (basis === undefined) return [];
  const { state, isAlone, isChosen } = basis;
  const { translator } = context;
  const at = translator.moment(state.looked_at ?? new Date().toISOString());
  return [
    isAlone ? translator.say('files.alone', { at, documents }) : translator.say('files.beside', { at }),
    ...(isChosen && company !== undefined ? [translator.say('files.chosen', { company })] : []),
    ...(state.isReading ? [`⚠ ${translator.say('files.reading', { read: state.progress.read })}`] : []),
    ...unseenFolders(basis, context).map((words) => `⚠ ${words}.`),
  ];
}
