import type { Archive } from '../archive/archive.ts';
import type { DocumentArea } from '../archive/references.ts';
import type { CallContext } from '../company/call-context.ts';
import type { Call, Page } from '../views/page.ts';
import type { Answered, Asked } from './pages/answered.ts';
import type { ShownDocument, Verified } from './pages/document-facts.ts';

/** Context of a page about a period. */
interface About {
  readonly tool: Call['tool'];
  readonly args: object;
  readonly areas: readonly DocumentArea[];
  readonly direction?: string | undefined;
  readonly archive: Archive;
  readonly resolved: Asked['resolved'];
  /** Sentences on the basis, in the language of a call; the first is the question. */
  readonly linesIn: (context: CallContext) => readonly string[];
}

async function askedOf(answer: Answered, about: About, context: CallContext): Promise<Asked> {
  const [{ askedAgain, todayOf }, { createSpeak, sentencesInBoth }] = await Promise.all([
    import('./pages/answered.ts'),
    import('./pages/voice.ts'),
  ]);
  const { tool, args, areas, direction, archive, resolved, linesIn } = about;
  const { from, to } = answer;
  return {
    call: { tool, args: { ...askedAgain(args as Record<string, unknown>), from, to } },
    archive,
    resolved,
    speak: createSpeak(context),
    subject: { areas, direction, from: from.slice(0, 10), to: to.slice(0, 10), today: todayOf(context) },
    sentences: (await sentencesInBoth(linesIn, context)).slice(1),
    context,
  };
}

/** Page of an answer about a period; undefined for clients without views. */
export async function periodView(
  answer: Parameters<typeof import('./pages/period.ts').periodPage>[0],
  about: About,
  context: CallContext,
): Promise<{ page: Page } | undefined> {
  if (!context.hasViews) return undefined;
  const { periodPage } = await import('./pages/period.ts');
  return { page: await periodPage(answer, await askedOf(answer, about, context)) };
}

/** Page of pending manifestations. */
export async function pendingView(
  answer: Parameters<typeof import('./pages/pending.ts').pendingPage>[0],
  about: About,
  context: CallContext,
): Promise<{ page: Page } | undefined> {
  if (!context.hasViews) return undefined;
  const { pendingPage } = await import('./pages/pending.ts');
  return { page: await pendingPage(answer, await askedOf(answer, about, context)) };
}

/** Page of `reconcile`'s findings. */
export async function reconcileView(
  answer: Parameters<typeof import('./pages/reconcile.ts').reconcilePage>[0],
  about: About,
  context: CallContext,
): Promise<{ page: Page } | undefined> {
  if (!context.hasViews) return undefined;
  const { reconcilePage } = await import('./pages/reconcile.ts');
  return { page: await reconcilePage(answer, await askedOf(answer, about, context)) };
}

/** Page of a document, with its sheet if the text is available. */
export async function documentView(
  document: ShownDocument,
  context: CallContext,
  verified?: Verified,
): Promise<{ page: Page } | undefined> {
  if (!context.hasViews) return undefined;
  const { documentPage } = await import('./pages/document.ts');
  return { page: await documentPage(document, context, verified) };
}
