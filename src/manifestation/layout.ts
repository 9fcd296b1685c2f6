import type { EventLayout } from '../clients/tax-documents/event-layout.ts';
import type { CallContext } from '../services/call-context.ts';
import { Unfulfilled } from '../services/failures.ts';

/** The layout of `DFE_EVENT_TEMPLATE`. @throws Unfulfilled where the template cannot be used */
export async function layoutOf({ services, translator }: CallContext): Promise<EventLayout> {
  const { createEventLayout } = await import('../clients/tax-documents/event-layout.ts');
  const layout = createEventLayout(services.settings.eventTemplate);
  if (layout.ok) return layout.value;
  throw new Unfulfilled('failure.event_template', { words: translator.problem(layout.problem) });
}
