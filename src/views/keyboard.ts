/** Redraws a part of the page; focus lost from it moves to the wanted element, one with the same text, or the first. */
export function keepingFocus(place: HTMLElement, draw: () => void, wanted?: HTMLElement): void {
  const had = document.activeElement;
  const hadFocus = place.contains(had);
  draw();
  if (!hadFocus || place.contains(document.activeElement)) return;
  const all = [...place.querySelectorAll<HTMLElement>('h1,button')];
  const alike = all.find(({ textContent }) => textContent === had?.textContent);
  (wanted && place.contains(wanted) ? wanted : (alike ?? all[0]))?.focus();
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** Keyboard: arrows, Home and End move along the headings or rows of a table, Escape goes back. */
export function hearKeys(back: () => void): void {
  document.addEventListener('keydown', (event) => {
    const { key } = event;
    const target = event.target as HTMLElement;
    // In a field, Escape clears the text first.
    if (key === 'Escape' && !(target as HTMLInputElement).value) return back();
    const all = [...(target.closest('thead,tbody')?.querySelectorAll('button:not([data-key])') ?? [])];
    const at = all.indexOf(target);
    const to = key === 'Home' ? 0 : key === 'End' ? all.length - 1 : at + (steps[key] ?? Number.NaN);
    const next = at === -1 ? undefined : (all[to] as HTMLElement | undefined);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  });
}
