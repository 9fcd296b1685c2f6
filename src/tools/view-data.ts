import type { CallContext } from '../company/call-context.ts';
import type { Page } from '../page/page.ts';
import type { About } from './pages/asked.ts';
import type { Verified } from './pages/document-checks.ts';
import type { ShownDocument } from './pages/document-facts.ts';
import type { AnsweredPending } from './pages/pending.ts';
import type { AnsweredPeriod } from './pages/period.ts';
import type { AnsweredReconcile } from './pages/reconcile.ts';

/** What an answer brings for its view; undefined for clients that show none, which load nothing of it. */
type ForView = Promise<{ page: Page } | undefined>;

/** The page of an answer of `query_documents`. */
export async function periodView(answer: AnsweredPeriod, about: About, context: CallContext): ForView {
  if (!context.hasViews) return undefined;
  const { periodPage } = await import('./pages/period.ts');
  return { page: await periodPage(answer, about, context) };
}

/** The page of notes that wait for a manifestation. */
export async function pendingView(answer: AnsweredPending, about: About, context: CallContext): ForView {
  if (!context.hasViews) return undefined;
  const { pendingPage } = await import('./pages/pending.ts');
  return { page: await pendingPage(answer, about, context) };
}

/** The page of what `reconcile` found. */
export async function reconcileView(answer: AnsweredReconcile, about: About, context: CallContext): ForView {
  if (!context.hasViews) return undefined;
  const { reconcilePage } = await import('./pages/reconcile.ts');
  return { page: await reconcilePage(answer, about, context) };
}

/** The page of a document, and its form where its own text is at hand. */
export async function documentView(
  document: ShownDocument,
  context: CallContext,
  verified?: Verified,
): ForView {
  if (!context.hasViews) return undefined;
  const { documentPage } = await import('./pages/document.ts');
  return { page: await documentPage(document, context, verified) };
}
