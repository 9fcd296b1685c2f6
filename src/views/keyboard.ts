/** The focused element before a redraw: its name, and its position among those of the same name. */
interface Focused {
  readonly name: string;
  readonly at: number;
}

function nameOf(element: Element): string {
  return `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`;
}

function alike(place: Element, name: string): HTMLElement[] {
  const all = place.querySelectorAll<HTMLElement>('h1,button,input,select,[tabindex]');
  return [...all].filter((one) => nameOf(one) === name);
}

const elementNamed = (place: Element, { name, at }: Focused) => alike(place, name)[at];

function focusedIn(place: Element): Focused | undefined {
  const one = document.activeElement as HTMLElement | null;
  if (one === null || !place.contains(one)) return undefined;
  const name = nameOf(one);
  return { name, at: alike(place, name).indexOf(one) };
}

/** Redraws a part of the page and restores the focus: the same element, else the last one still there. */
export function keyboardKeeper(place: HTMLElement): (draw: () => void) => void {
  const left: Focused[] = [];
  return (draw) => {
    const was = focusedIn(place);
    draw();
    if (was === undefined) return;
    let to = elementNamed(place, was);
    if (to === undefined) {
      const earlier = left.findLastIndex((one) => elementNamed(place, one));
      const [back] = earlier === -1 ? [] : left.splice(earlier);
      if (back === undefined) left.push(was);
      to = (back && elementNamed(place, back)) ?? place.querySelector<HTMLElement>('h1,button') ?? undefined;
    }
    to?.focus();
    // Who types goes on at the end.
    (to as HTMLInputElement | undefined)?.setSelectionRange?.(-1, -1);
  };
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** Keys beside Tab and Enter: arrows, Home and End go along the headings or the rows of a table, Escape goes back. */
export function hearKeys(place: HTMLElement): void {
  document.addEventListener('keydown', (event) => {
    const { key } = event;
    const target = event.target as HTMLElement;
    // In a field it empties that first, as everywhere.
    if (key === 'Escape' && !(target as HTMLInputElement).value) {
      place.querySelector<HTMLButtonElement>('.back')?.click();
      return;
    }
    const all = [...(target.closest('thead,tbody')?.querySelectorAll('button:not([data-key])') ?? [])];
    const at = all.indexOf(target);
    const to = key === 'Home' ? 0 : key === 'End' ? all.length - 1 : at + (steps[key] ?? Number.NaN);
    const next = at === -1 ? undefined : (all[to] as HTMLElement | undefined);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  });
}
