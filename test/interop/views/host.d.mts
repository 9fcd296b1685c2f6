/** What of the browser's driver is used; its own types are only there once test/interop is installed. */
export interface Located {
  count(): Promise<number>;
  textContent(): Promise<string | null>;
  allTextContents(): Promise<string[]>;
  getAttribute(name: string): Promise<string | null>;
  click(): Promise<void>;
  fill(text: string): Promise<void>;
  press(key: string): Promise<void>;
  waitFor(options?: { state: 'attached' }): Promise<void>;
  first(): Located;
  last(): Located;
  locator(selector: string): Located;
  inputValue(): Promise<string>;
}

export interface View {
  locator(selector: string): Located;
  getByText(text: string): Located;
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean }): Located;
  evaluate<T>(expression: string): Promise<T>;
  title(): Promise<string>;
}

export interface Browser {
  close(): Promise<void>;
}

export interface ShownView {
  /** The page itself, or `page`: its address at the server. */
  readonly html?: string;
  readonly page?: string;
  readonly args?: object;
  readonly result?: unknown;
  readonly context?: object;
  readonly abilities?: object;
  /** Whether the host keeps tools for the model from the view, which the bridge leaves to it. */
  readonly checksVisibility?: boolean;
}

export interface HostOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly era?: string;
}

export interface Called {
  readonly structuredContent: Record<string, unknown>;
}

/** One node of the accessibility tree, with its properties: `level`, `live`, `focusable`. */
export interface Told {
  readonly role: string;
  readonly name: string;
  /** The same for the same element. */
  readonly element: number;
  readonly [property: string]: unknown;
}

export interface Host {
  /** What the browser complained of. */
  readonly faults: readonly string[];
  show(view: ShownView): Promise<void>;
  /** Sends a view a hundred thousand entries of one kind, past the bridge. */
  flood(words: readonly string[]): Promise<void>;
  call(name: string, args: object): Promise<Called>;
  /** What the view asked of its host. */
  asked(): Promise<readonly Record<string, unknown>[]>;
  reportedHeight(): Promise<number>;
  /** Presses a key, wherever the keyboard is. */
  press(key: string): Promise<void>;
  /** Tells the view that the host looks otherwise now. */
  change(context: object): Promise<void>;
  /** The view's accessibility tree. */
  tree(): Promise<readonly Told[]>;
  /** The window as it is printed; what is on the page stays as on paper. */
  print(): Promise<Uint8Array>;
  view(): View;
  close(): Promise<void>;
}

export function chromium(): string | undefined;
export function startBrowser(): Promise<Browser>;
export function openHost(browser: Browser, options?: HostOptions): Promise<Host>;
